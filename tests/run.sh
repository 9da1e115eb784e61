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

# Those that take longest come first, so that none of them is left to run alone at the end.
cat >"$out/longest" <<EOF
tests/sweep/sweep.sh
tests/rig/test/faults.sh
tests/rig/test/unkind/unkind.sh
tests/rig/test/fault/stick.sh
tests/rig/test/sampling.sh
tests/rig/test/ask.sh
tests/report/schema.sh
tests/qemu/check.sh
tests/rig/test/clock.sh
tests/rig/test/personalities.sh
tests/report/lies.sh
tests/rig/test/settings.sh
tests/rig/test/broken.sh
tests/report/damaged.sh
tests/rig/test/tree.sh
tests/rig/test/profile.sh
tests/rig/test/sockets.sh
tests/rig/test/timeline.sh
tests/rig/test/smt.sh
tests/rig/test/smt_core.sh
tests/rig/test/blocks.sh
tests/rig/test/lost.sh
tests/rig/test/exactness.sh
tests/rig/test/pebs.sh
tests/rig/test/loop.sh
tests/rig/test/foreign.sh
tests/rig/test/fault/points.sh
tests/rig/test/end_to_end.sh
tests/rig/test/screen.sh
tests/rig/test/skid.sh
tests/rig/test/check.sh
tests/report/slotlog.sh
tests/rig/test/many.sh
tests/rig/test/periods.sh
tests/rig/test/brief.sh
tests/rig/test/overhead.sh
tests/report/readme.sh
tests/rig/test/serial.sh
tests/report/page.sh
tests/rig/test/cpuid.sh
tests/fleet_test.sh
tests/rig/test/fault/doubt.sh
tests/rig/test/input.sh
tests/rig/test/gains.sh
tests/rig/test/netburst.sh
tests/report/page_sections.sh
tests/rig/test/own_keys.sh
tests/report/adding.sh
$build/rig-test/core/truth_test
tests/rig/test/lbr.sh
tests/rig/test/valgrind.sh
tests/rig/test/events.sh
$build/rig-test/vector/vector_host_test
tests/rig/test/own_broken.sh
tests/rig/test/own.sh
$build/unit/profile/profile_walk_test
EOF

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
    [ "$what" = fuzz ] || current rig/test "$build"/rig-test/*/*_test
    [ "$what" = unit ] || current fuzz "$build"/fuzz/*_fuzz "$build"/fuzz/*/*_fuzz
    [ "$what" = all ] || return
    ls tests/rooms.sh tests/names.sh tests/format.sh tests/jumps.sh tests/*_test.sh tests/report/*.sh tests/sweep/sweep.sh tests/rig/test/*.sh tests/rig/test/fault/*.sh tests/rig/test/unkind/*.sh tests/qemu/check.sh tests/qemu/secure_boot.sh
}
suites >"$out/suites"
{ grep -xFf "$out/suites" "$out/longest"; grep -vxFf "$out/longest" "$out/suites"; } >"$out/order"

begun=$(date +%s)
xargs prove --norc -j "$(($(nproc) + 1))" -Q --exec "sh tests/suite.sh $build" <"$out/order" 3>&1 >"$out/prove.txt" 2>&1
status=$?
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
