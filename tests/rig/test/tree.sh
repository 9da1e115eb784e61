#!/bin/sh
# The whole published Topdown tree on the virtual rig, on every personality that has one. TAP on standard output.
#   tree.sh BUILD
# Of the kernels that name a leaf of the tree every second runs, on one of the personalities in turn; with
# TREE=all each runs on every one of them (some minutes each). Core 0 is measured, and core 1 helps kernels that need
# two; on one personality both are measured. tree/known lists the verdicts that are known to fail. One window a pass is
# enough, since the truth is of the same windows; with TREE=all there are as many as in an ordinary run. So there are on
# Ivy Bridge, where the windows of a node's passes are less alike.
set -u
. tests/boot.sh
. tests/rig/test/tree/share.sh

# unknown_failures CPU: verdicts that failed and are not listed.
unknown_failures() {
    grep '^not ok' "$work/$1.log" >"$work/$1.failed"
    awk -F '\t' -v cpu="$1" '!/^#/ && $1 == cpu { print $2 }' tests/rig/test/tree/known >"$work/$1.known"
    ! if [ -s "$work/$1.known" ]; then grep -vEf "$work/$1.known" "$work/$1.failed"; else grep . "$work/$1.failed"; fi
}

n=0
for cpu in skylakex icelakex haswell ivybridge sapphirerapids graniterapids alderlake; do
    kernels=$(share $n 14 '^[^m]' 'be.*, bs.*, fe.*, ret.*')
    cores=0 # alderlake's core 1 is an E core, whose lower nodes mean something else
    [ "$cpu-${TREE-}" != haswell- ] || cores=all
    windows='repeats = 1'
    [ "$cpu" != ivybridge ] && [ "${TREE-}" != all ] || windows=
    configured $cpu "levels = 6\n$windows\ncores = $cores\nkernels = ${kernels:-be.mem.l2}\n" --cpu $cpu --cores 2
    in_order $cpu
    claim "$cpu: levels = 6, $(grep -c '^ok' "$work/$cpu.log") verdicts hold, the others are known to fail" \
        unknown_failures $cpu
    judged "$cpu: the tree against the truth" "$build/tools/check_truth" "$work/$cpu.log" "$work/$cpu.truth"
    n=$((n + 1))
done
finish
