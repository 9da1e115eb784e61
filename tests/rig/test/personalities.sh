#!/bin/sh
# Every personality boots the unmodified image to its end, on two cores, and counts what it has exactly: TAP on standard output.
#   personalities.sh BUILD
set -u
build=$1
work=$build/personalities
stick=$build/esp kernels="cal.*"
. "$(dirname "$0")/../../tap.sh"
rm -rf "$work"
mkdir -p "$work"

# boot NAME ARGUMENTS...: the calibration kernels on the personality NAME or NAME-VARIANT, the log to $work/NAME.log
boot() {
    name=$1
    shift
    "$build/rig" --cpu "${name%-*}" --esp "$stick" --seconds 100 --truth "$work/$name.truth" --args "kernels=$kernels" "$@" \
        >"$work/$name.serial" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
    tr -d '\r' <"$work/$name.serial" >"$work/$name.log"
}
ended() {
    cat "$work/$1.err"
    [ "$(cat "$work/$1.status")" = 0 ] && grep -q '^{"type":"end".*"reason":"complete"' "$work/$1.log"
}
clean() { ! grep '^not ok' "$work/$1.log"; }
# counted NAME CORE: instructions and branches of the core were counted and exact.
counted() {
    [ "$(grep -cE "^ok [0-9]+ - core $2 cal\.[a-z]+ (INST_RETIRED.ANY|BR_INST_RETIRED.ALL_BRANCHES) " "$work/$1.log")" -ge 10 ]
}
# agrees NAME: what was counted is what happened. A CPU without a description has no Topdown records, one of a single level no
# value for nodes of the second.
agrees() {
    "$build/tools/check_truth" "$work/$1.log" "$work/$1.truth" >"$work/$1.check"
    grep -q '^ok .* raw totals of .* equal the truth' "$work/$1.check" &&
        ! grep '^not ok' "$work/$1.check" | grep -vE 'there are topdown records|has no value'
}
# found NAME COUNT: so many figures of nodes were held against the truth and are right.
found() { [ "$(grep -cE '^ok .* tma_[a-z_]+ .*truth' "$work/$1.check")" -ge "$2" ]; }
has() { grep -qE "$1" "$2"; }
refuses() {
    "$build/rig" --esp "$build/esp" "$@" >/dev/null 2>"$work/refused.err"
    [ $? = 2 ] && [ "$(wc -l <"$work/refused.err")" = 1 ]
}
honest() { "$build/rig" --list --long | grep -A1 "^$1 " | grep -q '^    omitted: ..*'; }

judge() {
    claim "$1 runs to the end" ended "$1"
    claim "$1: nothing is counted wrongly" clean "$1"
    claim "$1: instructions and branches are exact on core 0" counted "$1" 0
    claim "$1: instructions and branches are exact on core 1" counted "$1" 1
    claim "$1: the log agrees with the rig's truth" agrees "$1"
}

for personality in core2 nehalem ivybridge haswell sapphirerapids alderlake graniterapids; do
    boot $personality --cores 2
    judge $personality
    claim "$personality says what it leaves out" honest $personality
done
claim "alderlake: core 0 is a P core" has '"type":"core","seq":[0-9]+,"core":0,.*"core_type":"0x40"' "$work/alderlake.log"
claim "alderlake: core 1 is an E core with six counters" \
    has '"type":"core","seq":[0-9]+,"core":1,.*"core_type":"0x20".*"general_counters":6' "$work/alderlake.log"

boot ivybridge-smt --cores 2 --smt
judge ivybridge-smt
claim "ivybridge with two threads a core: four counters each" has '"threads_per_core":2,.*"general_counters":4' "$work/ivybridge-smt.log"
claim "a part with one thread a core refuses --smt" refuses --cpu core2 --cores 2 --smt
claim "the other kind of core of a hybrid part is no personality of its own" refuses --cpu alderlake_e --cores 2

# With descriptions on the stick the Topdown formulas find what happened: by counters, by both levels of PERF_METRICS, on an E core.
stick=$work/esp kernels=cal.*,be.core.chain,be.core.div,be.core.port,be.mem.bandwidth,be.mem.dram,be.mem.dtlb,be.mem.l1,be.mem.l2,be.mem.l3
kernels=$kernels,be.mem.store,bs.coinflip,bs.indirect,bs.return,bs.smc
cp -r "$build/esp" "$stick"
mkdir -p "$stick/slotscope/cpu"
cp tests/rig/test/descriptions/*.def "$stick/slotscope/cpu/"
for described in haswell-described sapphirerapids-described alderlake-described; do
    boot $described --cores 2
    judge $described
done
claim "haswell: ten nodes of levels 1 and 2 from counters are right on both cores" found haswell-described 200
claim "sapphirerapids: twelve nodes of levels 1 and 2 from PERF_METRICS are right on both cores" found sapphirerapids-described 240
claim "alderlake: level 1 is right on the E core" found alderlake-described 40

# of CORE FILE: the core's Topdown records of chosen nodes, by name
of() { grep "^{\"type\":\"topdown\",.*\"core\":$1," "$2"; }
shared_out() {
    grep -q '^# alderlake has no node tma_serialization: its cores leave it out' "$work/alderlake-nodes.log" &&
        of 1 "$work/alderlake-nodes.log" | grep -q '"tma_serialization"' &&
        ! of 0 "$work/alderlake-nodes.log" | grep -q '"tma_serialization"'
}
stick=$build/esp kernels="be.core.chain nodes=tma_serialization"
boot alderlake-nodes --cores 2
claim "alderlake: asking for a node that only E cores have ends in order" ended alderlake-nodes
claim "alderlake: it is measured on the E core, and the log says that the P core leaves it out" shared_out

# What a user sees who just boots it: no verdict fails on cores of either kind.
stick=$build/esp kernels=all
for whole in alderlake-whole sapphirerapids-whole; do
    boot $whole --cores 2
    claim "$whole: an ordinary run ends" ended $whole
    claim "$whole: all that it claims holds" clean $whole
done

finish
