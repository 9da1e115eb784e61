#!/bin/sh
# SLOTS and PERF_METRICS read at two points of a running region: how far the bytes are off the rig's truth by how long
# their reset is past, at level 1 and at level 2, however a core rounds. TAP on standard output.
#   precision.sh BUILD
set -u
. tests/boot.sh

curve() { # NAME CPU KERNELS OPTION...
    name=$1 cpu=$2 kernels=$3
    shift 3
    boot "$name" --cpu "$cpu" --cores 1 --args "kernels=$kernels precision=metrics levels=1 repeats=1 warmup=0" "$@"
    in_order "$name"
    claim "$name: no verdict on two points failed" absent '^not ok .*two points' "$work/$name.log"
    judged "$name: every error is below a step of the byte, by the truth" \
        "$build/tools/check_precision" "$work/$name.log" "$work/$name.truth"
    "$build/tools/check_precision" "$work/$name.log" "$work/$name.truth" | grep '^# error' >"$work/$name.errors"
}
# worst NAME BEFORE LENGTH RESET: the largest error of that point, in parts of ten thousand.
worst() { awk -v b="$2" -v l="$3" -v r="$4" '$4 == b && $5 == l && $6 == r { printf "%d", $7 * 10000 }' "$work/$1.errors"; }

# The rounding of two readings is uniform within a step of each: at R times the region their difference is off by
# R * sqrt(2 / 12) / 255 in the mean square, 0.1 at 64 and 0.36 at 231. The largest of four bytes in eight windows is no
# less than the mean; a reset brings it back to a step, 0.004, and the edges of a window.
grows() { # NAME BEFORE
    [ "$(worst "$1" "$2" 64 -)" -gt 1000 ] && [ "$(worst "$1" "$2" 64 -)" -gt $((3 * $(worst "$1" "$2" 4 -))) ] &&
        [ "$(worst "$1" "$2" 64 reset)" -lt 200 ]
}

curve spr sapphirerapids fe.dsb
claim "spr: all eight bytes are there" has spr '.type == "precision" and (.bytes | length) == 8'
claim "spr: the error grows with the time since the reset, and a reset ends that" grows spr chain
curve icl icelakex cpi.loops --fault metrics:down
claim "icl: four bytes are there, which add up to 252 to 255 when they are rounded down" has_no icl \
    '.type == "precision" and ((.bytes | length) != 4 or .sum[0] < 252 or .sum[1] > 255)'
claim "icl: rounded down, the error grows, and a reset ends that" grows icl chain

# A sampling read group of perf's clears both registers with each sample.
claim "icl: a read group has a point for each length, read at each overflow, with and without a reset" [ "$(records icl \
    'select(.type == "precision" and .before == "samples") | "\(.length) \(.reset)"' | sort -n | uniq | wc -l)" = 8 ]
claim "icl: cleared with each sample, a sample is a step and a window's edges off; 8 samples later more" \
    [ "$(worst icl samples 64 reset)" -lt 200 -a "$(worst icl samples 4 -)" -gt "$(worst icl samples 4 reset)" ]
claim "spr: what cannot be sampled says so" grep -q \
    '^ok .* core 0 fe\.dsb: PERF_METRICS from sample to sample # SKIP the kernel has no map$' "$work/spr.log"

claim "slotlog show has a row for each point" [ "$("$build/slotlog" show "$work/icl.log" |
    grep -cE '^  (nothing|chain|kernel|samples) +(reset)? +[0-9.]+ to +[0-9.]+ +[0-9.]+ +-?[0-9.]+  PERF_METRICS\.')" = 25 ]

boot skl --cpu skylakex --cores 1 --args "kernels=ret.nop precision=metrics levels=1 repeats=1 warmup=0"
claim "skl: without PERF_METRICS there is no curve, and a SKIP says so" grep -q \
    '^ok .* core 0 ret\.nop: precision of PERF_METRICS # SKIP no PERF_METRICS on this core$' "$work/skl.log"
claim "skl: and no record" has_no skl '.type == "precision"'
finish
