#!/bin/sh
# The unmodified image on the virtual rig, judged from outside: TAP on standard output.
#   end_to_end.sh BUILD
set -u
build=$1
work=$build/end-to-end
. "$(dirname "$0")/../../tap.sh"
rm -rf "$work"
mkdir -p "$work"

# The same for a program that prints TAP of its own: its verdicts are ours.
adopt() {
    "$@" >"$work/adopt.out" 2>"$work/adopt.err"
    status=$?
    sed -n 's/^ok [0-9]* /ok /p; s/^not ok [0-9]* /not ok /p' "$work/adopt.out" >"$work/adopt.lines"
    while read -r line; do
        number=$((number + 1))
        case $line in
        "not ok"*) failures=$((failures + 1)); echo "not ok $number ${line#not ok }" ;;
        *) echo "ok $number ${line#ok }" ;;
        esac
    done <"$work/adopt.lines"
    if [ "$status" -ne 0 ] && ! grep -q '^not ok' "$work/adopt.lines"; then
        claim "$* ends with status 0" false
    fi
}
same() { cmp "$1" "$2"; }
# Test::Harness before 3.45 refuses the version number 14; nothing in the log is newer than 13.
proves() { prove -Q --exec 'sed 1s/14/13/' "$1"; }

# boot NAME ESP-OVERLAY ARGUMENTS...: the log to $work/NAME.log, the truth to $work/NAME.truth
boot() {
    name=$1 overlay=$2
    shift 2
    rm -rf "$work/$name.esp"
    mkdir -p "$work/$name.esp"
    cp -r "$build/esp/." "$work/$name.esp/"
    [ -z "$overlay" ] || cp -r "$overlay/." "$work/$name.esp/"
    "$build/rig" --esp "$work/$name.esp" --truth "$work/$name.truth" --seconds 300 "$@" \
        >"$work/$name.serial" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
    tr -d '\r' <"$work/$name.serial" >"$work/$name.log"
}
# again NAME ARGUMENTS...: the same command on the same stick, with what the first run left there
again() {
    name=$1
    shift
    "$build/rig" --esp "$work/$name.esp" --truth "$work/$name-again.truth" --seconds 300 "$@" \
        >"$work/$name-again.serial" 2>"$work/$name-again.err"
}
# exact CORE LOG: the self-check states 25 events (5 in each of five kernels that do something); none is skipped, none fails
exact() {
    lines=$(grep -E "^(not )?ok [0-9]+ - core $1 cal\.(branches|instructions|loads|mixed|stores) [A-Z_]+\." "$2")
    echo "$lines"
    [ "$(echo "$lines" | grep -cE '^ok .* ([0-9]+) in \[\1, \1\]$')" -ge 25 ] && ! echo "$lines" | grep -qE '^not ok|# SKIP'
}
# few LOG: an empty kernel is one RET; what else its windows counted is the harness's, at most 8 instructions
few() {
    counted=$(sed -n '/"type":"counts".*"kernel":"cal.empty"/s/.*"INST_RETIRED.ANY":{"min":[0-9]*,"median":[0-9]*,"max":\([0-9]*\).*/\1/p' "$1" | sort -n | tail -1)
    echo "counted ${counted:-nothing}"
    [ -n "$counted" ] && [ $((counted - 1)) -le 8 ]
}
ended() { [ "$(cat "$work/$1.status")" = 0 ] && grep -q '^{"type":"end"' "$work/$1.log"; }
well_formed() { "$build/tools/check_log" "$work/$1.log" && "$build/tools/check_schema" doc/log.schema.json "$work/$1.log"; }

for cpu in skylakex icelakex; do
    boot $cpu "" --cpu $cpu --cores 4
    claim "$cpu: the image ends the run itself" ended $cpu
    claim "$cpu: records, CRCs, sequence, plan" well_formed $cpu
    claim "$cpu: no verdict failed" absent '^not ok' "$work/$cpu.log"
    claim "$cpu: no error record" absent '^{"type":"error"' "$work/$cpu.log"
    claim "$cpu: prove accepts the log" proves "$work/$cpu.log"
    claim "$cpu: the stick has the same log as the serial line" same "$work/$cpu.log" \
        "$work/$cpu.esp/slotscope/slotscope.log"
    for core in 0 1 2 3; do
        claim "$cpu: core $core counted exactly, every event of the self-check" exact $core "$work/$cpu.log"
    done
    claim "$cpu: at most 8 instructions in a window are not the kernel's" few "$work/$cpu.log"
    again $cpu --cpu $cpu --cores 4
    claim "$cpu: two runs of the same command give the same bytes" same "$work/$cpu.serial" "$work/$cpu-again.serial"
    claim "$cpu: two runs give the same truth" same "$work/$cpu.truth" "$work/$cpu-again.truth"
    adopt "$build/tools/check_truth" "$work/$cpu.log" "$work/$cpu.truth"
done

# A kernel whose expectation is falsified on purpose is `not ok`.
mkdir -p "$work/falsified"
cp -r Makefile linker.ld boot pmu kernels harness "$work/falsified/"
mkdir -p "$work/falsified/tests/qemu" "$work/falsified/build"
cp tests/setup.sh "$work/falsified/tests/"
touch "$work/falsified/build/.packages"
touch "$work/falsified/tests/qemu/image.sh"
sed -i 's/^\( *EXPECT  *MEM_INST_RETIRED.ALL_LOADS *,\).*/\1 n * 8 + 1, n * 8 + 1/' \
    "$work/falsified/kernels/cal.loads.asm"
claim "the falsified kernel builds" make -s -C "$work/falsified" BUILD=build build/BOOTX64.EFI
mkdir -p "$work/falsified.overlay/EFI/BOOT"
cp "$work/falsified/build/BOOTX64.EFI" "$work/falsified.overlay/EFI/BOOT/" 2>/dev/null
boot falsified "$work/falsified.overlay" --cpu skylakex --cores 1 --args "kernels=cal.*"
claim "a falsified expectation is not ok" grep -qE '^not ok .*cal\.loads.*MEM_INST_RETIRED\.ALL_LOADS' \
    "$work/falsified.log"
claim "its log is still whole" well_formed falsified

# A formula changed on the stick changes the verdicts.
mkdir -p "$work/formula.overlay/slotscope/cpu"
{
    cat pmu/cpu/skylakex.def
    echo 'node tma_retiring level 1 = #Retired_Slots / tma_info_thread_slots / 4' # instead of what it inherits
} >"$work/formula.overlay/slotscope/cpu/skylakex.def"
boot formula "$work/formula.overlay" --cpu skylakex --cores 1 --args "kernels=ret.nop"
claim "a formula on the stick changes the verdict" grep -qE '^not ok .*ret\.nop.*tma_retiring' "$work/formula.log"
claim "its log is still whole" well_formed formula

# Bad input: an error with file, line, column and expectation, nothing measured, and `end`.
# refuse NAME FILE TEXT WHERE: TEXT in \slotscope\FILE
refuse() {
    mkdir -p "$work/$1.overlay/slotscope/cpu"
    printf '%b' "$3" >"$work/$1.overlay/slotscope/$2"
    boot "$1" "$work/$1.overlay" --cpu skylakex --cores 2
    claim "$1: ends in order" ended "$1"
    claim "$1: error record names $4" grep -qE "^\{\"type\":\"error\".*$4.*expected" "$work/$1.log"
    claim "$1: nothing is measured" absent '^\{"type":"(counts|topdown|cpi)"' "$work/$1.log"
    claim "$1: log is whole" well_formed "$1"
}
refuse unknown-key slotscope.cfg 'repeats = 3\nwindw = 4\n' 'slotscope.cfg:2:1'
refuse bad-value slotscope.cfg 'repeats = many\n' 'slotscope.cfg:1:11'
refuse unknown-event cpu/skylakex.def 'cpu skylakex\nsignature 06_55\nwidth 4\nnode tma_retiring level 1 = NO.SUCH / 4\n' \
    'skylakex.def:4:29'
refuse parenthesis cpu/skylakex.def \
    'cpu skylakex\nsignature 06_55\nwidth 4\nevent A.B 0x0e umask 0x01\nnode tma_retiring level 1 = ( A.B / 4\n' 'skylakex.def:5:'
refuse zero-division cpu/skylakex.def \
    'cpu skylakex\nsignature 06_55\nwidth 4\nevent A.B 0x0e umask 0x01\nnode tma_retiring level 1 = A.B / 0\n' 'skylakex.def:5:'
refuse cycle cpu/skylakex.def \
    'cpu skylakex\nsignature 06_55\nwidth 4\nnode tma_a level 1 = tma_b + 1\nnode tma_b level 1 = tma_a + 1\n' 'skylakex.def:[45]:'

mkdir -p "$work/large.overlay/slotscope/cpu"
{ cat pmu/cpu/skylakex.def; yes '# a comment that makes the file longer than a mebibyte' | head -n 20000; } \
    >"$work/large.overlay/slotscope/cpu/skylakex.def"
boot large "$work/large.overlay" --cpu skylakex --cores 1
claim "a file over 1 MiB: ends in order" ended large
claim "a file over 1 MiB: error record names it and the limit" \
    grep -qE '^\{"type":"error".*skylakex\.def.*at most 1 MiB' "$work/large.log"
claim "a file over 1 MiB: nothing is measured" absent '^\{"type":"(counts|topdown|cpi)"' "$work/large.log"

finish
