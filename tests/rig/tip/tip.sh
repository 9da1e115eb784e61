#!/bin/sh
# The rig's truth of whom a cycle belongs to (`tip` of --profile), against the same worked out from --trace alone; and
# that no interrupt is taken before it is there. TAP on standard output.
#   tip.sh BUILD
set -u
. tests/boot.sh

# follow NAME CPU KERNEL: one run with --profile, and the same again with the trace of one window of the kernel.
follow() {
    options="--cpu $2 --cores 1"
    arguments="kernels=$3 samples=40 levels=1 repeats=1 warmup=1 log=none screen=no"
    # shellcheck disable=SC2086 # options without spaces
    boot "$1" $options --profile "$work/$1.profile" --args "$arguments"
    in_order "$1"
    # Of windows of samples that a trace can hold, the one with the most interrupts; and the last one of counting.
    for what in 'handlers > 0' 'handlers == 0'; do
        window=$(jq -r "select(.at and .cycles > 2000 and .cycles < 60000 and .$what) | \"\(.handlers) \(.window)\"" \
            "$work/$1.profile" | sort -n | tail -1 | cut -d' ' -f2)
        # shellcheck disable=SC2086
        boot "$1" $options --trace "$work/$1.trace" --trace-window "0:$window" --args "$arguments"
        claim "$1: window $window, $what: each address has the cycles that the trace gives it" same_cycles "$1" "$window"
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

follow coins skylakex cpi.coins
follow fences icelakex cpi.fences
follow calls sapphirerapids cpi.calls
follow interpreter haswell cpi.interpreter
finish
