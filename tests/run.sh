#!/bin/sh
# Runs the suites, one more at once than there are processors, since some of them wait for a line or for QEMU, and
# sums them. Each suite prints TAP; the last line is "N passed, N failed, N skipped". A suite that ends badly without
# a failed line counts as one failure, as does one without a test.
#   run.sh unit|fuzz|all BUILD
set -u
what=$1
build=$2
out=$build/test-output
export SHARED="$build/suites/shared" # what several suites need, and one makes (once, in tap.sh)
rm -rf "$out" "$SHARED"
mkdir -p "$out" "$SHARED"

# current FOLDER PROGRAM...: those built from a source that is still there, not left over from an older one.
current() {
    folder=$1
    shift
    for program; do
        [ -x "$program" ] && [ -f "tests/$folder/${program#"$build"/*/}.c" ] && echo "$program"
    done
}
suites() {
    [ "$what" = fuzz ] || current unit "$build"/unit/*_test "$build"/unit/*/*_test
    [ "$what" = fuzz ] || current rig "$build"/rig-test/*/*_test
    [ "$what" = unit ] || current fuzz "$build"/fuzz/*_fuzz "$build"/fuzz/*/*_fuzz
    [ "$what" = all ] || return
    ls tests/rooms.sh tests/names.sh tests/format.sh tests/jumps.sh tests/ring.sh tests/*_test.sh tests/report/*.sh tests/sweep/sweep.sh tests/rig/*.sh tests/rig/core/*.sh tests/rig/counting/*.sh tests/rig/fault/*.sh tests/rig/smt/*.sh tests/rig/tip/*.sh tests/rig/unkind/*.sh tests/qemu/check.sh tests/qemu/secure_boot.sh
}
suites >"$out/suites"
# Those that took longest the last time come first, so that none of them is left to run alone at the end; before them, in
# the order of their bytes, those of which no run has told yet, scripts first.
took=$build/suite-times # lines of tenths of a second and a suite
touch "$took"
while read -r suite; do
    case $suite in
    *.sh) echo "$(wc -c <"$suite") $suite" ;;
    *) echo "0 $suite" ;;
    esac
done <"$out/suites" | awk -v took="$took" '
    BEGIN { while ((getline line <took) > 0) { split(line, word); tenths[word[2]] = word[1] } }
    { print ($2 in tenths ? "0 " tenths[$2] : "1 " $1), $2 }' |
    sort -k1,1nr -k2,2nr | cut -d' ' -f3 >"$out/order"

begun=$(date +%s)
xargs prove --norc -j "$(($(nproc) + 1))" -Q --exec "sh tests/suite.sh $build" <"$out/order" 3>&1 >"$out/prove.txt" 2>&1
status=$?
cat "$out"/*.took "$took" 2>/dev/null | awk '!seen[$2]++' >"$took.new" && mv "$took.new" "$took"
cat "$out"/*.counts 2>/dev/null | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' >"$out/sum"
read -r passed failed skipped <"$out/sum"
if [ $status -ne 0 ] && [ "$failed" -eq 0 ]; then
    failed=1
    sed 's/^/    /' "$out/prove.txt" | tail -25
fi
echo
echo "$(wc -l <"$out/order") suites took $(($(date +%s) - begun)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
