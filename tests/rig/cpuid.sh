#!/bin/sh
# --cpuid: machines with recorded CPUID boot to their end, with the counters that the record states. TAP on standard
# output.
#   [CPUID=all] cpuid.sh BUILD
# SLOTSCOPE_FACTS, by default ../shared/facts, has the records of real machines; without them their claims are a SKIP.
# With CPUID=all one machine of each microarchitecture there is booted, else a few.
set -u
. tests/boot.sh
facts=${SLOTSCOPE_FACTS:-../shared/facts}
[ -f "$facts/cpuid_machines.csv" ] || facts=../../shared/facts
machines=$facts/cpuid_machines.csv

# A client Skylake, 06_5EH, with three fixed counters and four general ones, of which each thread has its own.
cat >"$work/table.csv" <<'EOF'
machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx
mine,A Skylake,me,0,00000000,00000000,00000016,756e6547,6c65746e,49656e69
mine,A Skylake,me,0,00000001,00000000,000506e3,00100800,7ffafbff,bfebfbff
mine,A Skylake,me,0,00000007,00000000,00000000,029c6fbb,00000000,00000000
mine,A Skylake,me,0,0000000a,00000000,07300404,00000000,00000000,00000603
mine,A Skylake,me,0,0000000b,00000000,00000001,00000002,00000100,00000000
mine,A Skylake,me,0,80000000,00000000,80000008,00000000,00000000,00000000
EOF
awk -F, 'BEGIN { print "CPU 0:" }
    NR > 1 { printf "   0x%s 0x%s: eax=0x%s ebx=0x%s ecx=0x%s edx=0x%s\n", $5, substr($6, 7), $7, $8, $9, $10 }' \
    "$work/table.csv" >"$work/raw.txt"
awk -F, 'BEGIN { print "------[ CPUID Registers / Logical CPU #0 ]------" }
    NR > 1 { print "CPUID " toupper($5) ": " toupper($7 "-" $8 "-" $9 "-" $10) }' "$work/table.csv" >"$work/inst.txt"

# play NAME RECORD OPTION...: the calibration kernels on two cores.
play() {
    name=$1 record=$2
    shift 2
    boot "$name" --cpuid "$record" --cores 2 --args "kernels=cal.* cores=all levels=1 repeats=1 log=none" "$@"
    claim "$name: the image ends the run itself" ended "$name"
    claim "$name: the log is whole: records, CRCs, sequence, plan" whole "$work/$name.log"
}
# core NAME CORE CONDITION
core() { claim "$1: core $2 is what the record says" has "$1" ".type == \"core\" and .core == $2 and $3"; }

skylake='.signature == "06_5e stepping 3" and .description == "skylake" and .general_counters == 4 and
    .fixed_counters == 3 and .brand == "" and .perf_metrics == false'
play table "$work/table.csv"
core table 0 "$skylake"
claim "table: it is no virtual machine, and the log says all the same that it is no silicon" has table \
    '.type == "machine" and .hypervisor == null and .rig == "virtual"'
no_failure table
# logged NAME EXPECTED: what build/survey makes of the answers in NAME's log.
logged() {
    records "$1" 'select(.type == "cpuid" and .core == 0) | "CPUID " + .answers[]' >"$work/$1-logged.txt"
    "$build/survey" "$work/$1-logged.txt" | jq -c '[.signature, .description, .general, .fixed]' >"$work/logged"
    cat "$work/logged"
    [ "$(cat "$work/logged")" = "$2" ]
}
claim "table: the log's answers are the machine's, to build/survey" logged table '["06_5E","skylake",4,3]'
claim "table: the run says which machine and which pipeline it is" \
    grep '^rig: mine: CPUID as recorded, on the pipeline and the events of skylakex, the nearest$' "$work/table.err"
for form in raw inst; do
    play $form "$work/$form.txt"
    claim "$form: the same record in another form gives the same log" same "$work/$form.log" "$work/table.log"
done
play chosen "$work/table.csv" --cpu icelakex
claim "chosen: --cpu chooses the pipeline" grep 'events of icelakex, the nearest$' "$work/chosen.err"
core chosen 0 "$skylake"
claim "chosen: on a pipeline of another width than the description's an identity fails" grep -E \
    '^not ok .* uops undelivered and issued, of width x cycles 1\.2[0-9]+ in' "$work/chosen.log"

# Leaf 0AH says what no processor has: counters of 0 bits, 255 of them.
for says in 07000404:'0 as the width of general counters, expected 32 to 64' \
    0730ff04:'255 as the number of general counters, expected 0 to 32'; do
    sed "s/07300404/${says%%:*}/" "$work/table.csv" >"$work/${says%%:*}.csv"
    play "${says%%:*}" "$work/${says%%:*}.csv"
    unmeasured "${says%%:*}" 2 "CPUID 0AH says ${says#*:}"
done
# only_undescribed NAME COUNT SIGNATURE: architectural events are counted on so many cores, and nothing fails but that
# no description fits them.
only_undescribed() {
    [ "$(grep -cE "^not ok [0-9]+ - core [0-9]+ is measured: no node has a value: only architectural events were counted, since no description fits signature $3\$" "$work/$1.log")" -eq "$2" ] &&
        [ "$(grep -c '^not ok' "$work/$1.log")" -eq "$2" ] &&
        has "$1" ".type == \"end\" and .reason == \"unmeasured\" and .cores_unmeasured == $2 and .fail == $2" &&
        has "$1" '.type == "counts" and .events["INST_RETIRED.ANY"].median > 0'
}
undescribed() { claim "$1: that no description fits is the one failure of each core" only_undescribed "$@"; }
# The same counters in a Goldmont, 06_5CH stepping 9, and in a Tremont, 06_96H stepping 1, whose leaf 1AH is 20H << 24.
sed 's/000506e3/000506c9/' "$work/table.csv" >"$work/goldmont.csv"
play goldmont "$work/goldmont.csv" --args "kernels=cal.* cores=all repeats=1 log=none prefetch=off"
undescribed goldmont 2 '06_5c stepping 9'
claim "goldmont: what its bits of MSR_MISC_FEATURE_CONTROL switch is not known" has goldmont \
    '.type == "settings" and .core == 0 and has("prefetch") and .prefetch == null'
for core in 0 1; do
    claim "goldmont: and core $core's are left alone" grep \
        "^ok .* core $core prefetch = off # SKIP no description fits this processor" "$work/goldmont.log"
done
{
    sed 's/00000016,756e6547/0000001a,756e6547/; s/000506e3/00090661/' "$work/table.csv"
    echo 'mine,A Skylake,me,0,0000001a,00000000,20000000,00000000,00000000,00000000'
} >"$work/tremont.csv"
play tremont "$work/tremont.csv"
undescribed tremont 2 '06_96 stepping 1 core 0x20'
play asked "$work/goldmont.csv" --args "kernels=cal.* cores=all repeats=1 log=none cpu=architectural"
claim "asked: who asks for the description of any processor gets what it can count, and nothing is missing" sh -c \
    "! grep '^not ok' '$work/asked.log'"

# bad WORDS FILE: the rig does not boot a record that is wrong, and says where.
bad() {
    claim "refused: $1" refuses --cores 1 --cpuid "$2"
    claim "  with file and line" grep -F -- "$1" "$work/refused.err"
}
sed '4s/.\{20\}$//' "$work/table.csv" >"$work/bad.csv"
bad "bad.csv:4: malformed row" "$work/bad.csv"
head -3 "$work/table.csv" >"$work/bad.csv"
bad "bad.csv:3: the record is cut: leaf 07H is missing" "$work/bad.csv"
sed '/0000001a,00000000,2000/d' "$work/tremont.csv" >"$work/bad.csv"
bad "bad.csv:7: the record is cut: leaf 1AH is missing" "$work/bad.csv"
sed 's/00000016,756e6547/00000023,756e6547/' "$work/table.csv" >"$work/bad.csv"
for row in 0000001a,00000000,0 0000001c,00000000,0 00000007,00000001,00000100 00000023,00000000,0000000a; do
    echo "mine,A Skylake,me,0,$row,00000000,00000000,00000000" >>"$work/bad.csv"
done
bad "bad.csv:11: the record is cut: leaf 23H has no subleaf 1" "$work/bad.csv"
sed 's/49656e69/49656e68/' "$work/table.csv" >"$work/bad.csv"
bad "bad.csv:2: no known vendor in leaf 0" "$work/bad.csv"
{ cat "$work/table.csv"; sed -n '5s/404/804/p' "$work/table.csv"; } >"$work/bad.csv"
bad "bad.csv:8: the record contradicts itself: leaf 0000000a is in line 5, too" "$work/bad.csv"
{ cat "$work/table.csv"; sed -n '2s/mine/yours/p' "$work/table.csv"; } >"$work/bad.csv"
bad "bad.csv:8: a second machine: choose one by FILE:MACHINE" "$work/bad.csv"
bad "no such machine" "$work/table.csv:yours"
sed '3s/ebx=0x/ebx=/' "$work/raw.txt" >"$work/bad.txt"
bad "bad.txt:3: malformed line" "$work/bad.txt"
bad "nowhere" "$work/nowhere"
bad "no CPUID answers in the file" /dev/null

if [ ! -f "$machines" ]; then
    number=$((number + 1))
    echo "ok $number - recorded machines boot # SKIP no cpuid_machines.csv (SLOTSCOPE_FACTS)"
    finish
    exit
fi
few='906a3-alderlake-12900h-1 b06d1-lunarlake-288v-2 10676-core2penryn-e5462-1 f24-netburstnorthwood-northwood-1'
# One of each microarchitecture, which is the second part of a machine's name.
all=$(sed 1d "$machines" | cut -d, -f1 | uniq | awk -F- '!seen[$2]++' | tr '\n' ' ')
[ "${CPUID-}" != all ] || few=$all
for machine in $few; do
    play "$machine" "$machines:$machine"
done
# Bonnell has Nehalem's version of the counters and neither its instructions nor its errata (AAK100, AAJ80).
play bonnell "$machines:106ca-bonnell-d425-1" \
    --args "kernels=bs.coinflip cores=all repeats=1 log=none"
undescribed bonnell 2 '06_1c stepping 10'
claim "bonnell: what branches are mispredicted is counted" has bonnell \
    '.type == "counts" and .events["BR_MISP_RETIRED.ALL_BRANCHES"].median > 0'
hybrid=906a3-alderlake-12900h-1
[ "${CPUID-}" != all ] || play $hybrid "$machines:$hybrid"
core $hybrid 0 '.description == "alderlake" and .general_counters == 8 and .fixed_counters == 4 and .perf_metrics'
core $hybrid 1 '.description == "alderlake_e" and .general_counters == 6 and .fixed_counters == 3'
no_failure $hybrid
# Lion Coves have one thread each.
two_threads() {
    "$build/rig" --esp "$build/esp" --cores 2 --smt --cpuid "$1" 2>"$work/threads.err"
    [ $? -eq 2 ] && grep "^rig: the recorded machine has one thread a core$" "$work/threads.err"
}
claim "two threads a core are refused where the record's have one" two_threads "$machines:b06d1-lunarlake-288v-2"
# Leaf 1FH with a level between core and package: 8 APIC ids a module, of which each core of the rig has one.
n='b06e0-alderlaken-n95-1'
play $n "$machines:$n" --args "kernels=cal.loads cores=all levels=1 repeats=1 log=none"
has_modules() {
    records "$1" 'select(.type == "cpuid" and .core == 0) | .answers[]' | grep ^0000001f >"$work/levels"
    cat "$work/levels"
    printf '%s\n' '0000001f: 00000001-00000001-00000100-00000000 [SL 00]' \
        '0000001f: 00000003-00000001-00000201-00000000 [SL 01]' \
        '0000001f: 00000007-00000002-00000302-00000000 [SL 02]' | cmp - "$work/levels"
}
for machine in $n b06d1-lunarlake-288v-2; do
    claim "$machine: leaf 1FH has the level of modules" has_modules $machine
done
no_failure f24-netburstnorthwood-northwood-1
no_failure 10676-core2penryn-e5462-1
core b06d1-lunarlake-288v-2 0 '.description == "lunarlake" and .general_counters == 10 and .fixed_counters == 4'
core b06d1-lunarlake-288v-2 1 '.description == "lunarlake_e" and .general_counters == 8 and .fixed_counters == 6'

# Sandy Bridge-EP loses load events of L3 unless MSR 39CH[0] is set: pmu-tools, latego.py. With the stick's own
# description, which does not know that, they are counted.
ep=206d7-sandybridgee-3930k-1
mkdir -p "$work/believes/slotscope/cpu"
grep -v '^refuse' pmu/cpu/jaketown.def >"$work/believes/slotscope/cpu/jaketown.def"
stick believes "$work/believes"
for name in believes doubts; do
    boot $name --cpuid "$machines:$ep" --cores 1 --args "kernels=exact.misses levels=5"
done
claim "sandybridge-ep: who counts loads that L3 misses is wrong" \
    grep '^not ok .* exact.misses MEM_LOAD_UOPS_RETIRED.LLC_MISS 20 in \[39, 41\]' "$work/believes.log"
no_failure doubts
claim "sandybridge-ep: they are missing, and the log says why" grep \
    '^ok .* exact.misses .*LLC_MISS # SKIP .* it counts wrongly here unless MSR 39CH\[0\] and PCI registers are set' \
    "$work/doubts.log"
finish
