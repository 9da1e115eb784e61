#!/bin/sh
# Every personality boots the unmodified image to its end, on two cores, and counts exactly what it can count. TAP
# on standard output.
#   personalities.sh BUILD
# With TREE=all the default run of Sapphire Rapids, too, and those of Alder Lake as many windows as they have by default.
set -u
. tests/boot.sh

# run NAME KERNELS OPTION...: on the personality NAME or NAME-VARIANT, with two cores.
run() {
    name=$1 arguments=$2
    shift 2
    boot "$name" --cpu "${name%-*}" --cores 2 --args "kernels=$arguments" "$@"
}
complete() { ended "$1" && has "$1" '.type == "end" and .reason == "complete"'; }
# exact NAME CORE: instructions and branches of the core were counted, and exact.
exact() {
    [ "$(grep -cE "^ok [0-9]+ - core $2 cal\.[a-z]+ (INST_RETIRED.ANY|BR_INST_RETIRED.ALL_BRANCHES|ex_ret_(instr|brn)) " \
        "$work/$1.log")" -ge 10 ]
}
# agrees NAME: what was counted is what happened. A CPU without a description has no Topdown records, and one
# whose description has a single level has no value for nodes of the second.
agrees() {
    "$build/tools/check_truth" "$work/$1.log" "$work/$1.truth" >"$work/$1.check"
    grep -q '^ok .* raw totals of .* equal the truth' "$work/$1.check" &&
        ! grep '^not ok' "$work/$1.check" | grep -vE 'there are topdown records|has no value'
}
judge() {
    claim "$1: the run ends, complete" complete "$1"
    no_failure "$1"
    claim "$1: instructions and branches are exact on core 0" exact "$1" 0
    claim "$1: instructions and branches are exact on core 1" exact "$1" 1
    claim "$1: the log agrees with the rig's truth" agrees "$1"
}
says_what_it_omits() { "$build/rig" --list --long | grep -A1 "^$1 " | grep '^    omitted: ..*'; }
# found NAME COUNT: so many values of nodes were compared with the truth, and are right.
found() { [ "$(grep -cE '^ok .* tma_[a-z_]+ .*truth' "$work/$1.check")" -ge "$2" ]; }

# Every personality but skylakex and icelakex, which end_to_end.sh boots.
"$build/rig" --list | sed 's/ .*//' | grep -vxE 'skylakex|icelakex' >"$work/personalities"

# One window of n and of 2n in a pass, of which the truth is, too; on Ivy Bridge the windows of a node's passes are less
# alike (tree.sh).
for personality in $(cat "$work/personalities"); do
    windows='repeats=1 warmup=1'
    [ $personality != ivybridge ] || windows=
    run $personality "cal.* $windows"
    judge $personality
    claim "$personality says what it leaves out" says_what_it_omits $personality
done
claim "alderlake: core 0 is a P core" has alderlake '.type == "core" and .core == 0 and .core_type == "0x40"'
claim "alderlake: core 1 is an E core with six counters" \
    has alderlake '.type == "core" and .core == 1 and .core_type == "0x20" and .general_counters == 6'

run ivybridge-smt "cal.* levels=1 repeats=3 warmup=1" --smt
judge ivybridge-smt
claim "ivybridge with two threads a core: four counters each" \
    has ivybridge-smt '.type == "core" and .threads_per_core == 2 and .general_counters == 4'
run prescott-smt "cal.* repeats=1 warmup=1" --smt
judge prescott-smt
claim "a part with one thread a core refuses --smt" refuses --cpu core2 --cores 2 --smt
claim "a part that is made for one package refuses --sockets" refuses --cpu alderlake --cores 4 --sockets 2
claim "the other kind of core of a hybrid part is no personality of its own" refuses --cpu alderlake_e --cores 2

# Kernels of deep levels, asked for by name where nobody publishes a tree: their cycles are as the cores' ports, stores and
# assists make them; Ivy Bridge's also as the banks of its L1 do. An assist of NetBurst is not known.
for personality in prescott nehalem core2 ivybridge; do
    run $personality-named "assist.fp,be.core.loads,be.core.ports2,be.core.ports3,be.mem.alias,be.mem.store_forward cores=0 levels=1 repeats=3 warmup=1"
    claim "$personality-named: the run ends, complete" complete "$personality-named"
    no_failure "$personality-named"
    claim "$personality-named: the cycles of four kernels or more are as claimed" [ "$(grep -cE \
        '^ok [0-9]+ - core 0 (assist|be)[a-z.0-9_]* CPU_CLK_UNHALTED.THREAD [0-9]+ in ' "$work/$personality-named.log")" -ge 4 ]
done
claim "prescott-named: of an assist's cycles nothing is claimed" \
    grep -E 'assist.fp CPU_CLK_UNHALTED.THREAD # SKIP assist_latency is unknown' "$work/prescott-named.log"

# With descriptions on the stick the Topdown formulas find what happened: by counters, by both levels of
# PERF_METRICS, on an E core. The image's own descriptions meet all kernels in end_to_end.sh and tree.sh.
mkdir -p "$work/descriptions/slotscope/cpu"
cp tests/rig/descriptions/*.def "$work/descriptions/slotscope/cpu/"
for personality in haswell sapphirerapids alderlake; do
    name=$personality-described
    stick $name "$work/descriptions"
    run $name "cal.*,be.core.chain,be.mem.dram,be.mem.l2,bs.coinflip repeats=1 warmup=1"
    judge "$name"
done
claim "haswell: ten nodes of levels 1 and 2 from counters are right on both cores" found haswell-described 100
claim "sapphirerapids: twelve nodes of levels 1 and 2 from PERF_METRICS are right on both cores" \
    found sapphirerapids-described 120
claim "alderlake: level 1 is right on the E core" found alderlake-described 20

# A node that only one kind of core has.
run alderlake-nodes "be.core.chain nodes=tma_serialization repeats=1 warmup=1"
claim "alderlake: a run for a node of the E cores alone ends" ended alderlake-nodes
claim "alderlake: the log says that the P cores leave the node out" \
    grep '^# alderlake has no node tma_serialization: its cores leave it out' "$work/alderlake-nodes.log"
claim "alderlake: it is measured on the E core" \
    has alderlake-nodes '.type == "topdown" and .core == 1 and (.nodes | has("tma_serialization"))'
claim "alderlake: and not on the P core" \
    has_no alderlake-nodes '.type == "topdown" and .core == 0 and (.nodes | has("tma_serialization"))'

# All kernels that run by default, on cores of either kind. Sapphire Rapids' are alike: one is measured, with the other
# one's help.
wholes=alderlake-whole windows='repeats=3 warmup=1'
[ "${TREE-}" != all ] || wholes='alderlake-whole sapphirerapids-whole' windows=
for name in $wholes; do
    measured=all
    [ $name = alderlake-whole ] || measured=0
    run $name "all cores=$measured $windows"
    claim "$name: an ordinary run ends, complete" complete "$name"
    no_failure "$name"
done
finish
