#!/bin/sh
# The processors that the patent of doc/sampling.md names. Nehalem has no event of retired taken branches: executed
# ones are sampled, and mispredicted ones are taken out. Core 2 has a stack of four records, which its PMI freezes. TAP.
#   executed.sh BUILD
set -u
. tests/boot.sh

# sampled NAME CPU KERNELS SAMPLES
sampled() {
    boot "$1" --cpu "$2" --cores 1 \
        --args "kernels=$3 samples=$4 jitter=255 levels=1 repeats=1 warmup=1 scale=10 log=none"
    in_order "$1"
}
put_back() { grep -E '^# core 0: [0-9]+ registers put back, 0 of them differ' "$work/$1.log"; }
# of METHOD LABEL: how often that block of cpi.coins ran by that method.
of() {
    records nehalem "select(.type == \"cpi\" and .method == \"$1\" and .level == \"block\") |
        .entries[] | select(.label == \"$2\") | .executions[0]"
}
# The tossed branch of cpi.coins is taken half of the time, and is the one that is mispredicted. For each toss, two
# branches are taken: `jnc .tails` 0.5 times, `jmp .on` 0.5 and `jnz .toss` once. Of four records that end with a
# mispredicted toss, 1.5 are `jnc .tails`, 2 `jnz .toss` and 0.5 `jmp .on`; of four others 1, 2 and 1. So with m
# mispredictions for each taken branch tails are (1 - 1.5 m) / (2 - 2 m) of the tosses after the subtraction, 0.5 before.
# Chance makes the difference half as much, or half as much again, at most.
tails_fall_as_they_must() {
    counted=$(records nehalem 'select(.type == "sampling" and .kernel == "cpi.coins" and (.series | test("branches")))
        | "\(.kept * (.period + .jitter + .late.mean) / .windows)"' | tr '\n' ' ')
    echo "events of a window: $counted"
    echo "$counted $(of cfg .tails) $(of cfg .toss) $(of 'cfg subtracted' .tails) $(of 'cfg subtracted' .toss)" |
        awk '{
            m = $2 / $1
            must = 0.5 - (1 - 1.5 * m) / (2 - 2 * m)
            falls = $3 / $4 - $5 / $6
            printf "%.3f mispredicted, tails fall by %.4f, must by %.4f\n", m, falls, must
            exit !(NF == 6 && m > 0.05 && falls > must / 2 && falls < must * 3 / 2)
        }'
}

sampled nehalem nehalem cpi.coins 600
claim "nehalem: executed taken branches are sampled" has nehalem \
    '.type == "sampling" and .series == "branches" and .event == "BR_INST_EXEC.TAKEN" and .kept >= 600 and .lost == 0'
claim "nehalem: and mispredicted ones in as many windows" has nehalem \
    '.type == "sampling" and .series == "mispredicted branches" and .event == "BR_MISP_EXEC.TAKEN" and .kept >= 30 and .lost == 0'
claim "nehalem: executions of blocks are right to chance" grep -E '^ok .* cpi.coins executions of blocks by cfg are 0\.0' \
    "$work/nehalem.log"
claim "nehalem: mispredicted branches are taken out by their weight" tails_fall_as_they_must
claim "nehalem: so are they of intervals" has nehalem \
    '.type == "cpi" and .method == "interval subtracted" and .level == "instruction"'
claim "nehalem: the registers hold their old values" put_back nehalem
no_failure nehalem

sampled core2 core2 cpi.aliased,cpi.loops 300
claim "core2: of four records, those behind the overflow's are used where it is pushed out" has core2 \
    '.type == "sampling" and .series == "branches" and .kernel == "cpi.aliased" and .event == "BR_INST_RETIRED.NEAR_TAKEN"
    and .behind >= .late.max - 2 and .behind <= .late.min and .left_out == null'
claim "core2: executions of blocks are right to chance" grep -E '^ok .* cpi.aliased executions of blocks by cfg are 0\.0' \
    "$work/core2.log"
claim "core2: where no place in the stack serves all samples, there is no profile, and the reason is said" grep -E \
    '^ok .* cpi.loops has a profile by cfg # SKIP branch records are missing before the overflow' "$work/core2.log"
claim "core2: nothing is sampled at mispredicted branches" has_no core2 \
    '.type == "sampling" and .series == "mispredicted branches"'
claim "core2: the registers hold their old values" put_back core2
no_failure core2
finish
