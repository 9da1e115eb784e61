#!/bin/sh
# Multiplexing where it fails: kernels with phases, some of which keep step with the rotation of passes, so that each
# event is seen in one phase only. What is marked reliable is what all slices counted by the rig's truth, and estimates
# that are off are marked. TAP on standard output.
#   phases.sh BUILD
# One seed and three kernels; PHASES=all: twenty, all kernels, and three processors.
set -u
. tests/boot.sh

estimates=$work/estimates
: >"$estimates"
seeded() { # CPU SEED LEVELS KERNELS
    run=$1-$2-$3
    boot "$run" --cpu "$1" --cores 1 --args "kernels=$4 multiplex=yes levels=$3 repeats=1 warmup=0 seed=$2"
    in_order "$run"
    no_failure "$run"
    judged "$run: errors as the truth has them, and reliable values within 5 % of it" \
        "$build/tools/check_multiplex" "$work/$run.log" "$work/$run.truth"
    "$build/tools/check_multiplex" "$work/$run.log" "$work/$run.truth" | grep '^# estimate phase' >>"$estimates"
}

if [ "${PHASES-}" = all ]; then
    for seed in $(seq 1 20); do
        seeded skylakex "$seed" 2 'phase.*'
        seeded haswell "$seed" 3 'phase.*'
        seeded icelakex "$seed" 3 'phase.*'
    done
else
    seeded skylakex 2 2 phase.two_slices,phase.alike,phase.short
fi

# off CONDITION: how many estimates are so: $3 kernel, $4 event, $9 how far off, from $10 on reliable or why not.
off() { awk "$1"' { n++ } END { print n + 0 }' "$estimates"; }
claim "there are blind spots: phases in step with the rotation put estimates off by over 5 %" \
    [ "$(off '$3 == "phase.two_slices" && ($9 > 0.05 || $9 < -0.05)')" -gt 0 ]
alike='$3 == "phase.alike" && $4 == "BR_INST_RETIRED.ALL_BRANCHES" && ($9 > 0.05 || $9 < -0.05)'
claim "phases that neither cycles nor instructions tell apart: branches are off, too, and not reliable" \
    [ "$(off "$alike && \$10 != \"reliable\"")" -gt 0 -a "$(off "$alike && \$10 == \"reliable\"")" -eq 0 ]
claim "phases far below a slice: instructions, uops and branches are reliable" \
    [ "$(off '$3 == "phase.short" && $10 == "reliable" && $4 ~ /^(INST|UOPS|BR_INST)/')" -ge 4 ]
finish
