#!/bin/sh
# The CPI of instructions, blocks and functions by sampling, against what really ran and what it cost on the rig:
# errors within the bounds of their number of samples, how they fall with it, and what a period without a random part
# does to a loop that divides it. TAP on standard output.
#   profile.sh BUILD
# With TREE=all the longest series has 10,000 samples, not 1,600, and each cpi.* kernel is sampled on three
# personalities, 10,000 samples each; samples = auto is held against the 3 % that it is to leave.
set -u
. tests/boot.sh

# profile NAME CPU KERNELS SAMPLES [MORE]: with $repeats windows for counting a pass, of the length $scale.
scale=10 repeats=1
profile() {
    boot "$1" --cpu "$2" --cores 1 --profile "$work/$1.profile" \
        --args "kernels=$3 samples=$4 levels=1 repeats=$repeats warmup=1 scale=$scale log=none ${5-}"
    in_order "$1"
    no_error "$1"
}
profiles() { for run; do echo "$work/$run.log" "$work/$run.profile"; done; }
# within NAME...: all errors are within their bounds; of several runs, they fall with the root of the samples.
within() {
    # shellcheck disable=SC2046 # the names have no spaces
    judged "$*: executions and CPI are as wrong as chance makes them, and no more" \
        "$build/tools/check_profile" $(profiles "$@")
}
# error NAME METHOD [WHAT]: of the CPI of instructions, as check_profile has it; it fails where no method is meant to be
# right.
error() {
    "$build/tools/check_profile" "$work/$1.log" "$work/$1.profile" |
        sed -n "s/^# core 0 cpi\.[a-z]* $2 CPI of each ${3-instruction}: \([0-9.]*\) off.*/\1/p"
}
# worse TIMES NAME OTHER: NAME's error is at least so many times OTHER's.
worse() {
    echo "$2: $(error "$2" cfg), $3: $(error "$3" cfg)"
    echo "$(error "$2" cfg) $(error "$3" cfg)" |
        awk -v times="$1" '{ is = $1 > 0 && $2 > 0 && $1 >= times * $2 } END { exit !is }'
}

# nearer NAME METHOD OTHER: the method's error, by TIP, is the smaller one.
by_tip() { error "$1" "$2" "instruction by TIP"; }
nearer() {
    echo "$2: $(by_tip "$1" "$2"), $3: $(by_tip "$1" "$3")"
    echo "$(by_tip "$1" "$2") $(by_tip "$1" "$3")" | awk '{ is = $1 > 0 && $1 < $2 } END { exit !is }'
}

# at_most BOUND ERROR
at_most() {
    echo "$2, at most $1"
    echo "$2 $1" | awk '{ is = $1 > 0 && $1 <= $2 } END { exit !is }'
}

most=1600
[ "${TREE-}" != all ] || most=10000
for samples in 100 400 $most; do
    pebs=no
    [ "$samples" != 400 ] || pebs=yes
    profile "calls-$samples" skylakex cpi.calls "$samples" "pebs=$pebs"
done
claim "calls-400: PEBS has a profile, too" has calls-400 \
    '.type == "cpi" and .method == "pebs" and .level == "instruction"'
within calls-100 calls-400 calls-$most

claim "calls-400: records without a latency of retirement make no profile, which is said" \
    grep -E '^ok .* cpi.calls has a profile by timed # SKIP the counter that makes these records has no latency' "$work/calls-400.log"
profile timed graniterapids cpi.calls 500 pebs=yes
within timed
claim "timed: latencies of retirement make a profile, whose instructions are nearer to TIP than those of shared" \
    nearer timed timed shared

profile haswell haswell cpi.calls 300
within haswell
for cpu in sapphirerapids prescott; do
    profile "$cpu" "$cpu" cpi.latency 300
    within "$cpu"
done

# From sample to sample the kernel runs P + R + S - A cycles, where S - A is `gain`, the core's and no kernel's. An
# iteration of cpi.aliased takes 50.
thousand() {
    echo $((1000 - $(records "$1" 'select(.type == "sampling" and .series == "cycles") | .gain.median')))
}
period=$(thousand calls-100)
scale=1
profile fixed skylakex cpi.aliased 300 "period=$period jitter=0"
profile random skylakex cpi.aliased 300 "period=$period jitter=255"
within random
claim "R = 0: a loop that divides the period is at least five times as wrong as with R = 255" worse 5 fixed random

scale=10 repeats=1
# Branches that are mispredicted, whose cycles TIP gives them; and fences, of which the oldest rule alone is judged.
repeats=5
profile refills skylakex cpi.coins,cpi.fences 300 jitter=255
repeats=1
within refills
# One taken branch in 78 cycles: the period is the least, with a random part that is longer than its share of 255 cycles
# (16 * 255 / 1009 = 4); without one if that was asked for.
claim "refills: few branches are sampled at a period that has a random part" has refills \
    '.type == "sampling" and .kernel == "cpi.fences" and .series == "branches" and .period == 16 and .jitter == 8'
claim "fixed: none is added where none was asked for" has fixed \
    '.type == "sampling" and .series == "branches" and .jitter == 0'

# What is counted of mispredicted branches must not contradict the rest.
for lie in INT_MISC.RECOVERY_CYCLES:1000 BR_MISP_RETIRED.ALL_BRANCHES:-90; do
    boot "lie-$lie" --cpu skylakex --cores 1 --fault "count:$lie" \
        --args "kernels=cpi.coins samples=300 levels=1 repeats=1 warmup=1 scale=10 log=none"
    claim "$lie: no cycle is given to mispredicted branches, and the record says why" has "lie-$lie" \
        '.type == "cpi" and .method == "shared" and .resteered == null and (.why | test("mispredict"))'
    claim "$lie: none is given" has_no "lie-$lie" '.type == "cpi" and .method == "shared" and .resteered != null'
done
if [ "${TREE-}" = all ]; then
    # The map of cpi.loops has 16 instructions: 16 x 12800 / 9 = 22755.6 samples, of which chance leaves 3 %.
    profile auto skylakex cpi.loops auto
    claim "auto: each series has 22756 samples or a window more" has_no auto \
        '.type == "sampling" and (.kept < 22756 or .kept > 22756 + 512)'
    claim "auto: the CPI of instructions is at most 3 % off" \
        at_most 0.03 "$(error auto cfg)"
    within auto
    for cpu in skylakex icelakex sapphirerapids; do
        for kernel in calls coins diamonds dispatch fences forwards interpreter latency loops returns switch wide; do
            profile "$cpu-$kernel" "$cpu" "cpi.$kernel" 10000
            within "$cpu-$kernel"
        done
        profile "$cpu-aliased" "$cpu" cpi.aliased 10000 "period=$(thousand "$cpu-calls")"
        within "$cpu-aliased"
    done
fi
finish
