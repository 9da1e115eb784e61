#!/bin/sh
# The rig's truth of whom a cycle belongs to (`tip` of --profile), against the same worked out from --trace alone; and
# that no interrupt is taken before it is there. TAP on standard output.
#   tip.sh BUILD
# Skylake has its window of counting traced, too; with TREE=all each part, and Haswell is one of them.
set -u
. tests/boot.sh

# follow NAME CPU KERNEL WINDOWS...: one run with --profile, and for each condition on its windows the same again with
# the trace of one window of the kernel.
follow() {
    options="--cpu $2 --cores 1"
    arguments="kernels=$3 samples=40 nodes=none repeats=1 warmup=1 log=none screen=no"
    # shellcheck disable=SC2086 # options without spaces
    boot "$1" $options --profile "$work/$1.profile" --args "$arguments"
    in_order "$1"
    name=$1
    shift 3
    # Of windows of samples that a trace can hold, the one with the most interrupts; and the last one of counting.
    for what; do
        window=$(jq -r "select(.at and .cycles > 2000 and .cycles < 60000 and .$what) | \"\(.handlers) \(.window)\"" \
            "$work/$name.profile" | sort -n | tail -1 | cut -d' ' -f2)
        # shellcheck disable=SC2086
        boot "$name" $options --trace "$work/$name.trace" --trace-window "0:$window" --args "$arguments"
        claim "$name: window $window, $what: each address has the cycles that the trace gives it" same_cycles "$name" "$window"
    done
}
same_cycles() {
    jq -r "select(.at and .window == $2) | .at[] | \"\(.address) \(.tip)\"" "$work/$1.profile" |
        while read -r address cycles; do printf '%x %s\n' "$address" "$cycles"; done | sort >"$work/$1.by_profile"
    end=$(jq -r "select(.at and .window == $2) | .cycles" "$work/$1.profile")
    awk -v at="$2" -v end="$end" -f tests/rig/pmi/trace.awk -f tests/rig/tip/tip.awk "$work/$1.trace" | sort >"$work/$1.by_trace"
    join -a 1 -a 2 -e 0 -o 0,1.2,2.2 "$work/$1.by_profile" "$work/$1.by_trace" |
        awk '{ sum += $2; d = $2 - $3; if (d > 0.01 || d < -0.01) { print; bad++ } } END { exit bad || sum < 2000 }'
}

sampling='handlers > 0' counting='handlers == 0'
follow coins skylakex cpi.coins "$sampling" "$counting"
if [ "${TREE-}" != all ]; then
    follow fences icelakex cpi.fences "$sampling"
    follow calls sapphirerapids cpi.calls "$sampling"
else
    follow fences icelakex cpi.fences "$sampling" "$counting"
    follow calls sapphirerapids cpi.calls "$sampling" "$counting"
    follow interpreter haswell cpi.interpreter "$sampling" "$counting"
fi
finish
