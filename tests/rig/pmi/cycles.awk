# From the trace of window `at`: each address, and the cycles in which an interrupt would save it. The cycles behind the
# retirement of one instruction, up to that in which the next retires, wait for the latter, and save what comes behind.
#   awk -v at=WINDOW -f trace.awk -f cycles.awk TRACE
# The number of the line that the program goes on with: behind an interrupted instruction the handler's first
# instruction is a push, and its last the eighth.
function following(i) { return verb[i + 1] == "push" && verb[i + 8] == "iretq" ? i + 9 : i + 1 }
END {
    last = -1
    address[lines + 1] = behind(lines)
    for (i = 1; i <= lines; i++) {
        if (is_conditional(verb[i + 1]) && verb[i] ~ /^(cmp|test|dec)$/) continue
        if (retired[i] > last) cycles[address[following(i)]] += retired[i] - last
        last = retired[i]
    }
    for (one in cycles) print one, cycles[one]
}
