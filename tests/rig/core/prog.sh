#!/bin/sh
# What is claimed of the programs (kernels/prog.*): true of each CPU, and false where the reason is taken away.
# TAP on standard output.
#   [TREE=all] prog.sh BUILD
set -u
. tests/boot.sh

# programs NAME CPU KERNELS OPTION...
programs() {
    run=$1 cpu=$2 kernels=$3
    shift 3
    boot "$run" --cpu "$cpu" --cores 1 --args "kernels=$kernels levels=3 repeats=1 warmup=1 log=none" "$@"
}
# says NAME VERDICT PATTERN: a verdict that begins so is there, and is no SKIP.
says() { grep -E "^$2 [0-9]+ - core 0 prog\.$3" "$work/$1.log" | grep -v '# SKIP'; }
# only NAME PATTERN: no other program fails.
only() { ! grep -E '^not ok' "$work/$1.log" | grep -vE " prog\.($2) "; }

cpus=skylakex
[ "${TREE-}" != all ] || cpus='ivybridge haswell skylakex icelakex sapphirerapids graniterapids alderlake'
for cpu in $cpus; do
    programs "$cpu" "$cpu" "prog.*"
    in_order "$cpu"
    no_failure "$cpu"
    for program in copy dot hash interpreter recursion; do
        claim "$cpu: cycles of prog.$program are judged" says "$cpu" ok "$program CPU_CLK_UNHALTED.THREAD "
    done
    claim "$cpu: the divider is what prog.divide waits for" says "$cpu" ok 'divide tma_divider .*the largest'
    for program in search sort; do
        claim "$cpu: chance decides the branches of prog.$program" says "$cpu" ok "$program BR_MISP_RETIRED"
        claim "$cpu: and its slots are lost to them" says "$cpu" ok "$program tma_branch_mispredicts .*the largest"
    done
done

# Without mispredictions what is claimed of chance is false, and nothing else is.
programs foresight skylakex "prog.*" --ideal branches
for program in search sort; do
    claim "a predictor that is never wrong: prog.$program has too few mispredictions" \
        says foresight 'not ok' "$program BR_MISP_RETIRED.ALL_BRANCHES 0 in "
    claim "a predictor that is never wrong: prog.$program loses too few slots" says foresight 'not ok' "$program tma_bad_speculation"
done
claim "a predictor that is never wrong: the other programs are as they were" only foresight 'search|sort'

# Where each uop takes a cycle no program waits for the divider or for an addition. (Their cycles stay in what is claimed:
# the microcode of a division takes as many slots as ever, and an addition each other cycle is still what is claimed.)
programs instant skylakex prog.divide,prog.dot --ideal core
claim "results in a cycle: prog.divide's divider is idle" says instant 'not ok' 'divide tma_divider'
claim "results in a cycle: the back end lets prog.dot go on" says instant 'not ok' 'dot tma_backend_bound'
finish
