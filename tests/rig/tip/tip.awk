# To whom the cycles of window `at` belong, by the rules of TIP (B. Gottschall and others, MICRO 2021), from the trace
# alone: an address and its cycles a line.
#   awk -v at=WINDOW -v end=CYCLES -f ../pmi/trace.awk -f tip.awk TRACE
# What retires in a cycle shares it. A cycle in which nothing retires is that of the oldest instruction once it was
# allocated. Before, the re-order buffer was empty: the cycle is that of the instruction before where that one serialises,
# or where the trace blames lost slots on a misprediction or a clear, and else that of the next one. The first
# instruction of a handler, to which the code goes from one that leads elsewhere, always has its own. Of a macro-fused
# pair the second has all.
inside && !/^#/ {
    to[lines] = tolower($(n + 1))
    sub(/^0x0*/, "", to[lines])
    if (lines > 1 && address[lines] != behind(lines - 1) && !leads(lines - 1, address[lines])) handler[address[lines]] = 1
    entered[lines] = match($0, /; from=-?[0-9]+/) ? substr($0, RSTART + 7, RLENGTH - 7) + 0 : $1 + 0
    nodes[lines] = $0
    sub(/.*;/, "", nodes[lines])
}
# Whether the instruction of that line can lead to the address, beside the one behind it.
function leads(i, where) {
    if (verb[i] ~ /^(j.*|call)$/ && to[i] ~ /^[0-9a-f]+$/) return to[i] == where
    return verb[i] ~ /^(jmp|call|ret|iretq|rep.*)$/
}
# Behind an indirect jump any address may follow, also a handler. Back from its IRETQ, calls left out, the handler begins
# where the code comes from elsewhere.
function find_handlers(    r, i, depth) {
    for (r = 1; r <= lines; r++) {
        depth = 0
        for (i = r; verb[r] == "iretq" && i > 1; i--) {
            if (verb[i - 1] == "ret") depth++
            else if (verb[i - 1] == "call") depth -= depth > 0
            else if (!depth && address[i] != behind(i - 1) && verb[i - 1] !~ /^rep/ && to[i - 1] != address[i]) break
        }
        if (verb[r] == "iretq" && i > 1) handler[address[i]] = 1
    }
}
# Serialising instructions (SDM 3A, "Serializing Instructions"), MFENCE and PAUSE; or a misprediction or clear.
function flushed(i, j) {
    if (!i || address[j] in handler) return 0
    return verb[i] ~ /^(wrmsr|cpuid|iretq|mfence|pause|invlpg|lgdt|lidt)$/ ||
           nodes[i] ~ /tma_(branch_mispredicts|mispredicts|other_nukes|machine_clears)=/ ||
           nodes[j] ~ /tma_(mispredicts_resteers|clears_resteers)=/
}
function close_group(    k) {
    for (k = 1; k <= grouped; k++) cycles[group[k]] += 1 / grouped
    grouped = 0
}
function wait(i, first, until,    begin, from) {
    begin = last + 1
    from = first < until ? first : until
    if (from > begin) cycles[flushed(before, start) ? address[before] : address[i]] += from - begin
    else from = begin
    if (until > from) cycles[address[i]] += until - from
}
END {
    find_handlers()
    last = -1
    for (i = 1; i <= lines; i++) {
        start = i
        first = entered[i]
        if (is_conditional(verb[i + 1]) && verb[i] ~ /^(cmp|test|dec|inc|add|sub|and)$/ && retired[i + 1] <= retired[i] + 1 &&
            entered[i + 1] == entered[i] && nodes[i + 1] !~ /tma_(other_light_ops|non_fused_branches)=[1-9]/) i++
        if (retired[i] >= end) { wait(i, first, end); break }
        if (retired[i] > last) {
            close_group()
            wait(i, first, retired[i])
            last = retired[i]
        }
        group[++grouped] = address[i]
        before = i
    }
    close_group()
    for (one in cycles) printf "%s %.3f\n", one, cycles[one]
}
