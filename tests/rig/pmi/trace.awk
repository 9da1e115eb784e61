# The lines of window `at` of a trace, in program order: address, verb and number of bytes of each, and the cycle in which
# it retired. For scripts that come behind it:
#   awk -v at=WINDOW -f trace.awk -f SCRIPT TRACE
/^# core/ { inside = $5 + 0 == at; next }
inside && !/^#/ {
    address[++lines] = substr($3, 3)
    sub(/^0+/, "", address[lines])
    for (n = 4; $n ~ /^[0-9a-f][0-9a-f]$/ && n < 19; n++) ;
    verb[lines] = $n
    bytes[lines] = n - 4
    retired[lines] = $2 + 0
}
function is_conditional(v) { return v ~ /^j/ && v != "jmp" }
# The address behind the instruction of that line.
function behind(i,    k, value) {
    for (k = 1; k <= length(address[i]); k++) value = value * 16 + index("0123456789abcdef", substr(address[i], k, 1)) - 1
    return sprintf("%x", value + bytes[i])
}
