# From the trace of window `at`: each address, and the cycles in which an interrupt would save it. The cycles behind the
# retirement of one instruction, up to that in which the next retires, wait for the latter, and save what comes behind.
#   awk -v at=WINDOW -f cycles.awk TRACE
/^# core/ { inside = $5 + 0 == at; next }
inside && !/^#/ {
    address[++lines] = substr($3, 3)
    sub(/^0+/, "", address[lines])
    for (n = 4; $n ~ /^[0-9a-f][0-9a-f]$/ && n < 19; n++) ;
    verb[lines] = $n
    bytes = n - 4
    retired[lines] = $2 + 0
}
# The number of the line that the program goes on with: behind an interrupted instruction the handler's first
# instruction is a push, and its last the eighth.
function following(i) { return verb[i + 1] == "push" && verb[i + 8] == "iretq" ? i + 9 : i + 1 }
function is_conditional(v) { return v ~ /^j/ && v != "jmp" }
END {
    last = -1
    address[lines + 1] = behind(address[lines], bytes)
    for (i = 1; i <= lines; i++) {
        if (is_conditional(verb[i + 1]) && verb[i] ~ /^(cmp|test|dec)$/) continue
        if (retired[i] > last) cycles[address[following(i)]] += retired[i] - last
        last = retired[i]
    }
    for (one in cycles) print one, cycles[one]
}
function behind(text, more,    i, value) {
    for (i = 1; i <= length(text); i++) value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return sprintf("%x", value + more)
}
