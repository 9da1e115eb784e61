#!/bin/sh
# PEBS in each of its formats: no record is lost with a threshold of one record and of a full buffer, each
# names the instruction that caused the event, precise distribution is exact, groups and latencies are right; and a
# wrong program of it is noticed. TAP on standard output.
#   pebs.sh BUILD         PEBS=all takes ten times the events, and two parts more that are like others
# shellcheck disable=SC2016
set -u
. tests/boot.sh
scale=1
[ "${PEBS:-}" = all ] && scale=10

# run NAME OPTION...: the kernel whose instructions are known, sampled on the personality NAME.
run() {
    name=$1
    shift
    boot "$name" --cpu "${name%-*}" --args "kernels=pebs.loads levels=1 repeats=1 pebs=yes scale=$scale" "$@"
}
records_of() { grep '"type":"pebs"' "$work/$1.log"; }
# uses NAME CORE: five uses were sampled on the core with both thresholds, and three of them until an interrupt.
uses() {
    [ "$(records_of "$1" | jq -c "select(.core == $2 and .threshold != \"interrupt\")" | wc -l)" -eq 10 ] &&
        [ "$(records_of "$1" | jq -c "select(.core == $2 and .threshold == \"interrupt\")" | wc -l)" -eq 3 ]
}
# all NAME CONDITION: it holds for every record of PEBS, and there is one.
all() {
    records_of "$1" | grep -q . && ! records_of "$1" | jq -c "select(($2) | not)" | grep .
}
# some NAME CONDITION
some() { records_of "$1" | jq -c "select($2)" | grep -q .; }
put_back() { grep -E "core $2: [0-9]+ registers put back, 0 of them differ" "$work/$1.log"; }

judge() {
    claim "$1: the run ends, complete" ended "$1"
    claim "$1: the log is whole: records, CRCs, sequence, plan" whole "$work/$1.log"
    no_failure "$1"
    no_error "$1"
    claim "$1: at least 50,000 events of each use with a witness, half of that until an interrupt" all "$1" \
        ".events == null or .events * (if .threshold == \"interrupt\" then 2 else 1 end) >= 50000 * $scale"
    claim "$1: no record is lost, and there are as many as events allow" all "$1" \
        '.lost == null or (.lost == 0 and .records > 0 and .events >= .records * .period and
         .events <= (.records + 2 * .windows) * (.period + .overshoot + 1))'
    claim "$1: every record names an instruction that causes its event" all "$1" \
        '.wrong == 0 and .exact > 0 and .outside <= .windows'
    claim "$1: loads name the five that load, branches the three that are taken" all "$1" \
        '.use as $use | [.instructions | to_entries[] | select(.value.records > 0) | .key] |
         if $use == "instructions" then true
         elif $use == "taken branches" then . - [3, 7, 13] == []
         else . - [1, 4, 5, 8, 10] == [] end'
    claim "$1: the addresses of data are exact" all "$1" '.data_right == null or .data_right == .exact'
    claim "$1: all registers are put back" put_back "$1" 0
}
# What the rig is told to take for a hit of L2 is what load latency finds.
finds_l2() { some "$1" ".use == \"loads above 9 cycles\" and .l1_cycles == null and .l2_cycles.min == $2"; }
# With precise distribution every instruction of the loop comes equally often, except at the ends of windows.
even_instructions() {
    records_of "$1" | jq -e 'select(.use == "instructions" and .precise_distribution) | .windows as $w |
        [.instructions[].records] | max - min <= $w + 1' | grep -v true | { ! grep .; }
}

# distributes NAME USES: these uses, separated by commas, have precise distribution; "none": no use has.
distributes() {
    found=$(records_of "$1" | jq -rs '[.[] | select(.precise_distribution and .threshold == "one") | .use] |
        if length == 0 then "none" else join(",") end | gsub(" "; "_")')
    [ "$found" = "$2" ] || { echo "$found"; return 1; }
}

parts='nehalem 1 false none 10
haswell 2 false instructions 12
skylakex 3 false instructions 14
icelakex 4 true instructions 14
sapphirerapids 4 true instructions,taken_branches,loads 16'
[ "${PEBS:-}" != all ] || parts="$parts
ivybridge 1 false instructions 12
graniterapids 4 true instructions,taken_branches,loads 16"
while read -r name format adaptive distributed l2; do
    run "$name" --cores 1
    judge "$name"
    claim "$name: five uses with two thresholds, three also until the buffer interrupts" uses "$name" 0
    claim "$name: format $format, adaptive $adaptive" all "$name" ".format == $format and .adaptive == $adaptive"
    claim "$name: precise distribution of $distributed" distributes "$name" "$distributed"
    claim "$name: with precise distribution all instructions come equally often" even_instructions "$name"
    claim "$name: loads above 9 cycles come from L2, after $l2 cycles" finds_l2 "$name" "$l2"
done <<EOF
$parts
EOF

run alderlake --cores 2
judge alderlake
claim "alderlake: all uses on the P core" uses alderlake 0
claim "alderlake: and on the E core" uses alderlake 1
claim "alderlake: the E core's latencies are L2's" some alderlake \
    '.core == 1 and .use == "loads above 9 cycles" and .l2_cycles.min == 17'

# Parts without PEBS say why.
skipped() { grep -cE "^ok .* pebs.loads PEBS of .* # SKIP $2" "$work/$1.log" | grep -qx 5; }
run prescott --cores 1
judge prescott
claim "prescott: loads alone, by MSR_IQ_COUNTER4, with both thresholds" \
    [ "$(records_of prescott | jq -r '"\(.use) \(.counter) \(.threshold)"' | tr '\n' ,)" = \
    'loads general 16 one,loads general 16 full,' ]
run prescott-ht --cores 1 --smt
claim "prescott with two threads a core: PEBS is unavailable, and the log says so" grep -E \
    '^ok .* PEBS of loads # SKIP IA32_MISC_ENABLE says that PEBS is unavailable' "$work/prescott-ht.log"
run core2 --cores 1
claim "core2: PEBS is a SKIP: unavailable by IA32_MISC_ENABLE" skipped core2 'IA32_MISC_ENABLE says'
no_failure core2
boot off --cpu skylakex --cores 1 --args "kernels=pebs.loads levels=1 repeats=1 warmup=0"
claim "without pebs = yes nothing is sampled" has_no off '.type == "pebs"'

# Broken on purpose: the reset value in the slot after the counter's.
copy_sources slot
sed -i 's/area->reset\[plan->reset_slot\] =/area->reset[plan->reset_slot + 1] =/' "$work/slot/pmu/sampling/pebs.c"
claim "an image with the reset value in a wrong slot can be built" build_image slot
stick skylakex-slot "$work/slot.overlay"
run skylakex-slot --cores 1
claim "skylakex-slot: a reset value in a wrong slot fails verdicts" \
    grep -E '^not ok .* pebs.loads PEBS of instructions: none is lost' "$work/skylakex-slot.log"
finish
