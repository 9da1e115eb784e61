#!/bin/sh
# Faults on demand: whatever goes wrong, the image ends in order, says what it was, and publishes nothing as good that is
# not. TAP on standard output.
#   faults.sh BUILD
set -u
build=$1
work=$build/faults
. "$(dirname "$0")/../../tap.sh"
rm -rf "$work"
mkdir -p "$work"

# boot NAME ARGUMENTS...: the log to $work/NAME.log, the stick to $work/NAME.esp
boot() {
    name=$1
    shift
    rm -rf "$work/$name.esp"
    cp -r "$build/esp" "$work/$name.esp"
    "$build/rig" --cpu skylakex --esp "$work/$name.esp" --args "kernels=cal.*" --seconds 120 "$@" \
        >"$work/$name.serial" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
    tr -d '\r' <"$work/$name.serial" >"$work/$name.log"
}
ended() { cat "$work/$1.err"; [ "$(cat "$work/$1.status")" = 0 ] && grep '^{"type":"end"' "$2" && grep '^1\.\.' "$2"; }
whole() { "$build/tools/check_log" "$1"; }
damaged() { ! "$build/tools/check_log" "$1"; }
# in_order NAME: status 0, `end` and a plan, records whole.
in_order() {
    claim "$1: the image ends the run itself" ended "$1" "$work/$1.log"
    claim "$1: records, CRCs, sequence, plan" whole "$work/$1.log"
}
# names NAME PATTERN: an error, guard or verdict line that says what happened.
names() { claim "$1: the log names it" grep -aE "$2" "$work/$1.log"; }
unchanged_counts() { # the counts of every kernel are those of the sound run
    sed -n '/"type":"counts"/s/.*"core":\([0-9]*\),"kernel":"\(cal[^"]*\)".*"iterations":\([0-9]*\).*\("INST_RETIRED.ANY":{[^}]*}\).*/\1 \2 \3 \4/p' \
        "$1" | sort >"$work/counts"
    ! sort "$work/sound.counts" | comm -13 - "$work/counts" | grep .
}

boot sound --cores 1
in_order sound
sed -n '/"type":"counts"/s/.*"core":\([0-9]*\),"kernel":"\(cal[^"]*\)".*"iterations":\([0-9]*\).*\("INST_RETIRED.ANY":{[^}]*}\).*/\1 \2 \3 \4/p' \
    "$work/sound.log" >"$work/sound.counts"

# Register accesses. The first ones are made before the image has exception handlers of its own, of registers that every
# processor in 64-bit mode has (IA32_APIC_BASE, IA32_EFER): the firmware's handlers end that run.
named=0
for k in 1 3 9 13 40 100 300 1500; do
    boot msr-$k --cores 1 --fault msr:$k
    if grep -q "under the firmware's handlers" "$work/msr-$k.err"; then
        claim "msr:$k: only what comes before own handlers ends under the firmware's" test $k -le 2
        continue
    fi
    in_order msr-$k
    claim "msr:$k: what was counted is right" unchanged_counts "$work/msr-$k.log"
    grep -q '"type":"error".*"where":"core 0, kernel cal\.[a-z]*, \(IA32\|MSR\)_' "$work/msr-$k.log" && named=$((named + 1))
done
claim "msr: a register that faults in a measurement is named" test $named -ge 2

# Firmware calls: 1 loaded image, 7 memory of the run, 10 stick, 14 memory of a file, 26 the log file, 43 taking over.
for k in 1 5 7 10 14 26 43 60; do
    boot uefi-$k --cores 1 --fault uefi:$k
    claim "uefi:$k: the image ends the run itself" ended uefi-$k "$work/uefi-$k.log"
    claim "uefi:$k: no verdict fails but one on the configuration" \
        absent '^not ok [0-9]+ - ([^c]|c[^o]|co[^n])' "$work/uefi-$k.log"
done
for k in 1 7 10 14 26 43; do
    names uefi-$k '^\{"type":"error"'
done
claim "uefi:43: nothing is measured" absent '"type":"(counts|topdown|cpi)"' "$work/uefi-43.log"

# Without boot services the serial line is all that the log has.
boot mute --cores 1 --args "kernels=cal.* exclusive=yes serial=none"
claim "mute: the log on the stick is whole" whole "$work/mute.esp/slotscope/slotscope.log"
claim "mute: it says why boot services stay" grep -q '"type":"error".*the log would go nowhere' \
    "$work/mute.esp/slotscope/slotscope.log"

boot ap --cores 3 --args "kernels=cal.*" --fault ap:1
in_order ap
names ap '"type":"error".*"where":"core 1, APIC id 1".*answers'
claim "ap: nothing is said of the silent core" absent '"type":"(counts|topdown|cpi)".*"core":1,' "$work/ap.log"
claim "ap: the others are measured" grep -qE '^ok .*core 2 cal\.' "$work/ap.log"

boot smi --cores 1 --fault smi:10
in_order smi
names smi '"type":"guard".*"discarded":\{"smi":[1-9]'
claim "smi: no verdict fails" absent '^not ok' "$work/smi.log"
claim "smi: no disturbed window is counted" unchanged_counts "$work/smi.log"

boot throttle --cores 1 --args "kernels=be.core.*,ret.*" --fault throttle
in_order throttle
names throttle '"type":"guard".*"discarded":\{.*"thermal":[1-9]'
claim "throttle: no verdict fails" absent '^not ok' "$work/throttle.log"

for kind in garble drop; do
    boot serial-$kind --cores 1 --fault serial:$kind
    claim "serial-$kind: status 0" grep -qx 0 "$work/serial-$kind.status"
    claim "serial-$kind: the damage shows in the received log" damaged "$work/serial-$kind.log"
    claim "serial-$kind: the log on the stick is whole" whole "$work/serial-$kind.esp/slotscope/slotscope.log"
    claim "serial-$kind: and is the sound run's" cmp "$work/sound.esp/slotscope/slotscope.log" \
        "$work/serial-$kind.esp/slotscope/slotscope.log"
done
for kind in full error; do
    boot stick-$kind --cores 1 --fault stick:$kind
    in_order stick-$kind
    names stick-$kind '"type":"error".*log file cannot be written'
    claim "stick-$kind: no verdict fails" absent '^not ok' "$work/stick-$kind.log"
done

# A counter that lies: the self-check refuses the core, and nothing that follows from its counters is published as good.
for lie in BR_INST_RETIRED.ALL_BRANCHES:10 MEM_INST_RETIRED.ALL_LOADS:-1; do
    boot lie --cores 1 --args "kernels=ret.nop" --fault count:$lie
    in_order lie
    names lie "^not ok .*core 0 cal\..* ${lie%:*}"
    claim "lie: core 0 is untrusted" grep -q '^# core 0 is untrusted' "$work/lie.log"
    grep '^ok .*core 0 ret\.' "$work/lie.log" >"$work/lie.after"
    claim "lie: no verdict of it is good after the self-check" absent '^([^#]|#[^ ]|# [^S])*$' "$work/lie.after"
done

boot several --cores 2 --fault stick:error --fault ap:1 --fault serial:garble
claim "several faults at once: status 0" grep -qx 0 "$work/several.status"
names several 'core 1, APIC id 1'

for bad in msr:0 msr:x uefi: ap:0 ap:9999 smi:0 smi:1000000 throttle:1 serial:loud stick: count:A count:A:0 count:A:-101 nothing; do
    "$build/rig" --cpu skylakex --cores 2 --esp "$build/esp" --fault $bad >"$work/bad.out" 2>"$work/bad.err"
    claim "--fault $bad is refused" test $? -eq 2 -a ! -s "$work/bad.out"
done
for bad in ap:2 count:NO.SUCH:5; do
    "$build/rig" --cpu skylakex --cores 2 --esp "$build/esp" --fault $bad >"$work/bad.out" 2>"$work/bad.err"
    claim "--fault $bad does not fit the machine" test $? -eq 2 -a ! -s "$work/bad.out"
done

finish
