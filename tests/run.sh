#!/bin/sh
# Runs the suites and sums them: each suite prints TAP, the last line is "N passed, N failed, N skipped".
#   run.sh unit|fuzz|all BUILD
set -u
what=$1
build=$2
passed=0 failed=0 skipped=0
out=$build/test-output
mkdir -p "$out"

# suite NAME COMMAND...: a suite that ends badly without a failed line counts as one failure.
suite() {
    name=$1
    shift
    log=$out/$(echo "$name" | tr ' /' '--').tap
    "$@" >"$log" 2>&1
    status=$?
    s=$(grep -ciE '^(not )?ok .*# SKIP' "$log") # cmocka writes a skipped test as "not ok N # SKIP"
    p=$(grep -E '^ok ' "$log" | grep -cviE '# SKIP')
    f=$(grep -E '^not ok ' "$log" | grep -cviE '# SKIP')
    if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
        f=1
        echo "not ok - $name ended with status $status" >>"$log"
    fi
    [ $((p + f + s)) -gt 0 ] || { f=1; echo "not ok - $name ran no test" >>"$log"; }
    printf '%-28s %6d passed %4d failed %4d skipped\n' "$name" "$p" "$f" "$s"
    if [ "$f" -gt 0 ]; then
        grep -vE '^ok ' "$log" | tail -25 | sed 's/^/    /'
        echo "    all of it: $log"
    elif [ "$s" -gt 0 ]; then
        grep -iE '^(not )?ok .*# SKIP' "$log" | sed 's/.*# SKIP/    skipped:/I' | sort | uniq -c | sort -rn | head -3
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# current FOLDER PROGRAM: it was built from a source that is still there, not left over from an older one.
current() { [ -x "$2" ] && [ -f "tests/$1/$(basename "$2").c" ]; }

export CMOCKA_MESSAGE_OUTPUT=TAP
if [ "$what" != fuzz ]; then
    for test in "$build"/unit/*_test; do
        current unit "$test" && suite "unit $(basename "$test" _test)" "$test"
    done
    for test in "$build"/rig-test/*/*_test; do
        room=$(basename "$(dirname "$test")")
        current "rig/test/$room" "$test" && suite "rig $room/$(basename "$test" _test)" "$test"
    done
fi
if [ "$what" != unit ]; then
    for test in "$build"/fuzz/*_fuzz; do
        current fuzz "$test" && suite "fuzz $(basename "$test" _fuzz)" "$test"
    done
fi
if [ "$what" = all ]; then
    for test in tests/report/*.sh tests/rig/test/*.sh tests/qemu/check.sh; do
        [ -f "$test" ] && suite "$(echo "$test" | sed 's/^tests.//; s/test.//; s/\.sh$//')" sh "$test" "$build"
    done
fi
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
