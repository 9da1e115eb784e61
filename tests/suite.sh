#!/bin/sh
# One suite, for prove: its TAP on standard output in a form that every prove takes, a line with its counts on
# descriptor 3.
#   suite.sh BUILD PROGRAM-OR-SCRIPT
# All that the suite said is in BUILD/test-output/NAME.tap, its counts in NAME.counts: passed, failed, skipped. The line
# ends with the processor time that the suite took: what else runs meanwhile does not change it.
set -u
build=$1
suite=$2
name=$(echo "$suite" |
    sed "s,^$build/,,; s,^tests/,,; s,_\(test\|fuzz\)$,,; s,\.sh$,,; s,^rig\(-test\)\?/,rig ,; s,^\(unit\|fuzz\)/,\1 ,")
file=$build/test-output/$(echo "$name" | tr ' /' '--')
export CMOCKA_MESSAGE_OUTPUT=TAP
unset MAKEFLAGS MAKELEVEL MAKE_TERMOUT MAKE_TERMERR # a suite that calls make calls its own

case $suite in
*.sh) sh "$suite" "$build" ;;
*) "$suite" ;;
esac >"$file.tap" 2>&1 3>&-
status=$?
times >"$file.times" # of the shell, then of its children: user, system
tenths=$(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); printf "%.0f", 10 * (60 * (t[1] + t[3]) + t[2] + t[4]) }' "$file.times")

echo "$tenths $suite" >"$file.took"
skipped=$(grep -ciE '^(not )?ok .*# SKIP' "$file.tap") # cmocka writes a skipped test as "not ok N # SKIP"
passed=$(grep -E '^ok ' "$file.tap" | grep -cviE '# SKIP')
failed=$(grep -E '^not ok ' "$file.tap" | grep -cviE '# SKIP')
if [ $status -ne 0 ] && [ "$failed" -eq 0 ]; then
    failed=1
    echo "not ok - $name ended with status $status" >>"$file.tap"
elif [ $((passed + failed + skipped)) -eq 0 ]; then
    failed=1
    echo "not ok - $name ran no test" >>"$file.tap"
fi
echo "$passed $failed $skipped" >"$file.counts"
{
    printf '%-28s %6d passed %4d failed %4d skipped %5d.%d s\n' \
        "$name" "$passed" "$failed" "$skipped" $((tenths / 10)) $((tenths % 10))
    if [ "$failed" -gt 0 ]; then
        grep -vE '^ok ' "$file.tap" | tail -25 | sed 's/^/    /'
        echo "    all of it: $file.tap"
    elif [ "$skipped" -gt 0 ]; then
        grep -iE '^(not )?ok .*# SKIP' "$file.tap" | sed 's/.*# SKIP/    skipped:/I' |
            sort | uniq -c | sort -rn | head -3
    fi
} >"$file.summary"
cat "$file.summary" >&3 # in one piece: other suites end at the same time
sed -e '/^TAP version/d' -e 's/^not \(ok .*# SKIP\)/\1/I' "$file.tap"
exit $status
