# TAP for shell suites, which source it in the project's folder and are given the build folder. $work is an empty
# folder of the suite's own.
build=$1
work=$build/suites/$(echo "$0" | sed 's,.*tests/,,; s,\.sh$,,' | tr / -)
rm -rf "$work"
mkdir -p "$work"
number=0 failures=0

# claim TEXT COMMAND...: the claim holds when the command succeeds; when it fails, what it printed is shown.
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

# absent PATTERN FILE: no line of the file matches.
absent() { ! grep -E "$1" "$2"; }

# once NAME COMMAND...: the folder $once has what the command puts there. In a run of all suites (run.sh) the first suite
# that asks for NAME makes it for all of them, and the others wait for it.
once() {
    once=${SHARED:-$work}/$1
    shift
    mkdir -p "$once"
    (
        flock 9
        [ -e "$once/.made" ] || { "$@" && touch "$once/.made"; }
    ) 9>"$once/.lock"
}

# skip_all TEXT REASON: a suite that cannot run here.
skip_all() {
    echo "ok 1 - $1 # SKIP $2"
    echo "1..1"
    exit 0
}

# The last line of a suite: prints the plan and gives the exit status.
finish() {
    echo "1..$number"
    [ "$failures" -eq 0 ]
}
