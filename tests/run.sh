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
tests/rig/faults.sh
tests/rig/unkind/unkind.sh
tests/rig/fault/stick.sh
tests/rig/sampling.sh
tests/rig/ask.sh
tests/report/schema.sh
tests/qemu/check.sh
tests/rig/clock.sh
tests/rig/personalities.sh
tests/report/lies.sh
tests/rig/settings.sh
tests/rig/broken.sh
tests/report/damaged.sh
tests/rig/tree.sh
tests/rig/profile.sh
tests/rig/sockets.sh
tests/rig/timeline.sh
tests/rig/smt.sh
tests/rig/smt_core.sh
tests/rig/blocks.sh
tests/rig/lost.sh
tests/rig/exactness.sh
tests/rig/pebs.sh
tests/rig/loop.sh
tests/rig/foreign.sh
tests/rig/fault/points.sh
tests/rig/end_to_end.sh
tests/rig/screen.sh
tests/rig/skid.sh
tests/rig/check.sh
tests/report/slotlog.sh
tests/rig/many.sh
tests/rig/periods.sh
tests/rig/brief.sh
tests/rig/overhead.sh
tests/report/readme.sh
tests/rig/serial.sh
tests/report/page.sh
tests/rig/cpuid.sh
tests/fleet_test.sh
tests/rig/fault/doubt.sh
tests/rig/input.sh
tests/rig/gains.sh
tests/rig/netburst.sh
tests/report/page_sections.sh
tests/rig/own_keys.sh
tests/report/adding.sh
$build/rig-test/core/truth_test
tests/rig/lbr.sh
tests/rig/valgrind.sh
tests/rig/events.sh
$build/rig-test/vector/vector_host_test
tests/rig/own_broken.sh
tests/rig/own.sh
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
    [ "$what" = fuzz ] || current rig "$build"/rig-test/*/*_test
    [ "$what" = unit ] || current fuzz "$build"/fuzz/*_fuzz "$build"/fuzz/*/*_fuzz
    [ "$what" = all ] || return
    ls tests/rooms.sh tests/names.sh tests/format.sh tests/jumps.sh tests/*_test.sh tests/report/*.sh tests/sweep/sweep.sh tests/rig/*.sh tests/rig/core/*.sh tests/rig/fault/*.sh tests/rig/unkind/*.sh tests/qemu/check.sh tests/qemu/secure_boot.sh
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
