# Holds what the image of pmi.c says of its interrupts against the trace of the same windows:
#   awk -v skid=CYCLES -v way=WAY -f check.awk LOG TRACE
# An event happens in the cycle in which its instruction retires, a cycle's at its end. The interrupt is there `skid`
# cycles after that cycle; it waits for the oldest instruction that retires then or later, and names the next one. Of a
# macro-fused pair the second instruction is the one that is waited for. A repeated string instruction has a line for
# each repetition, is interrupted between them, and retires with the last. With --interrupt flush the interrupt names
# the instruction that is waited for, and with empty it does so where that instruction came into the re-order buffer
# when the interrupt was there. Prints TAP.
FNR == NR {
    if ($1 == "pmi") { event[$2] = $3; period[$2] = $4; rip[$2] = $5; count[$2] = $6 }
    next
}
/^# core/ { judge(); window = $5 + 0; lines = 0; next }
/^#/ { next }
{
    lines++
    entered[lines] = match($0, /; from=-?[0-9]+/) ? substr($0, RSTART + 7, RLENGTH - 7) + 0 : $1 + 0
    retire[lines] = $2 + 0
    address[lines] = substr($3, 3)
    sub(/^0+/, "", address[lines])
    # bytes of two digits, then the verb
    n = 4
    while ($n ~ /^[0-9a-f][0-9a-f]$/ && n < 19) n++
    bytes[lines] = n - 4
    verb[lines] = $n
}
END {
    judge()
    if (way == "empty") claim(empty > 0, "the re-order buffer was empty " empty " times")
    print "1.." number
    exit failed || !number
}

function claim(holds, text) {
    print (holds ? "ok " : "not ok ") ++number " - " text
    failed += !holds
}
function is_conditional(v) { return v ~ /^j/ && v != "jmp" }
# The number of the line behind which an interrupt of cycle `at` is taken.
function boundary(at,    i) {
    for (i = 1; i < lines; i++)
        if (retire[i] >= at) break
    if (is_conditional(verb[i + 1]) && verb[i] ~ /^(cmp|test|dec)$/) i++
    return i
}
function is_fused(i) { return is_conditional(verb[i]) && verb[i - 1] ~ /^(cmp|test|dec)$/ }
# Whether the interrupt of cycle `at`, taken behind line i, names what it is to name: line i, of a fused pair the first,
# where that is thrown away; else the line that the handler returns to.
function is_named(i, at, behind,    oldest, thrown) {
    oldest = is_fused(i) ? i - 1 : i
    empty += entered[oldest] > at
    thrown = way == "flush" || (way == "empty" && entered[oldest] > at)
    return rip[window] == address[thrown ? oldest : behind]
}
# The cycle in which the counter overflows; -1: the trace does not say.
function overflow(    i, seen, what) {
    what = event[window]
    if (what ~ /cycles/) return period[window] - 1
    for (i = 1; i < lines; i++) {
        if (what == "instructions") seen += !(verb[i] == "rep" && address[i + 1] == address[i])
        else if (what == "taken") seen += verb[i] ~ /^(j.*|call|ret)$/ && !follows(i)
        else return -1
        if (seen == period[window]) return retire[i]
    }
    return -1
}
function follows(i) { return hex(address[i]) + bytes[i] == hex(address[i + 1]) }
function hex(text,    i, value) {
    for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}
function judge(    i, j, at, handler) {
    if (!(window in event)) return
    if (period[window] == 0) {
        claim(count[window] == 0, event[window] ", masked: no interrupt")
        return
    }
    for (handler = 1; handler <= lines && verb[handler] != "iretq"; handler++) ;
    at = overflow()
    if (handler > lines) {
        claim(at < 0 && count[window] == 0, event[window] " " period[window] ": no interrupt in the window")
        return
    }
    if (at < 0) { unknown++; return }
    i = boundary(at + 1 + skid)
    claim(count[window] == 1 && is_named(i, at + 1 + skid, handler + 1) && handler - i == 8,
          event[window] " " period[window] ": overflow in cycle " at ", taken behind line " i)
}
