# TAP for shell tests, sourced by them; $work is their folder.

number=0 failures=0

# claim TEXT COMMAND...: the claim holds when the command succeeds. What it printed is shown when not.
claim() {
    text=$1
    shift
    number=$((number + 1))
    if "$@" >"$work/claim.out" 2>&1; then
        echo "ok $number - $text"
    else
        echo "not ok $number - $text"
        failures=$((failures + 1))
        sed 's/^/# /' "$work/claim.out" | head -20
    fi
}

# absent PATTERN FILE: no line is like that.
absent() { ! grep -E "$1" "$2"; }

# The last line of a test: the plan, and its exit status.
finish() {
    echo "1..$number"
    [ "$failures" -eq 0 ]
}
