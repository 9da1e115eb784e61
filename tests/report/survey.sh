#!/bin/sh
# build/survey over recorded CPUID: the table of expected answers, the three forms of a file, bad input. TAP on
# standard output.
#   survey.sh BUILD
# SLOTSCOPE_FACTS, by default ../shared/facts, has the records of real machines; without them their claims are a SKIP.
set -u
. tests/tap.sh
facts=${SLOTSCOPE_FACTS:-../shared/facts}
[ -f "$facts/cpuid_machines.csv" ] || facts=../../shared/facts
machines=$facts/cpuid_machines.csv
expected=tests/report/survey_expected.csv

# run STATUS FILE...: survey into $work/out and $work/err must end with that status.
run() {
    wanted=$1
    shift
    "$build/survey" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq "$wanted" ] || { echo "status $status"; cat "$work/err"; return 1; }
}
says() { grep -qF -- "$1" "$work/err" || { cat "$work/err"; return 1; }; }
silent() { [ ! -s "$work/err" ]; }
lines() { [ "$(wc -l <"$work/out")" -eq "$1" ] || { cat "$work/out"; return 1; }; }
has() { jq -es "$1" "$work/out" >/dev/null || { cat "$work/out"; return 1; }; }

# A Skylake, 06_5EH: leaf 0AH 07300404-0-0-603, two threads a core. Leaf 4 is not what is tested here.
cat >"$work/table.csv" <<'EOF'
machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx
mine,A Skylake,me,0,00000000,00000000,0000000b,756e6547,6c65746e,49656e69
mine,A Skylake,me,0,00000001,00000000,000506e3,00100800,00008000,10000000
mine,A Skylake,me,0,00000006,00000000,00000004,00000002,00000009,00000000
mine,A Skylake,me,0,00000007,00000000,00000000,029c6fbb,00000000,00000000
mine,A Skylake,me,0,0000000a,00000000,07300404,00000000,00000000,00000603
mine,A Skylake,me,0,0000000b,00000000,00000001,00000002,00000100,00000000
mine,A Skylake,me,0,80000000,00000000,80000000,00000000,00000000,00000000
EOF
# raw CORE, instlatx64 CORE: the rows of the table, in that form.
raw() {
    echo "CPU $1:"
    awk -F, 'NR > 1 { printf "   0x%s 0x%s: eax=0x%s ebx=0x%s ecx=0x%s edx=0x%s\n", $5, substr($6, 7), $7, $8, $9, $10 }' \
        "$work/table.csv"
}
instlatx64() {
    echo "------[ CPUID Registers / Logical CPU #$1 ]------"
    awk -F, 'NR > 1 { printf "CPUID %s: %s-%s-%s-%s [SL %s]\n", $5, $7, $8, $9, $10, substr($6, 7) }' "$work/table.csv" |
        tr '[:lower:]' '[:upper:]'
}
{ raw 0; raw 1; raw 2 | sed 's/07300404/07300804/'; } >"$work/raw.txt"
{ echo "Program Version : none"; instlatx64 0; instlatx64 1; } >"$work/inst.txt"
skylake_is='.[0] | .vendor == "GenuineIntel" and .signature == "06_5E" and .description == "skylake" and .counts and
    .why == null and .pmu_version == 4 and .general == 4 and .fixed == 3 and .perf_metrics == false and
    .lbr == "skylake32" and .lbr_depth == 32 and .threads_per_core == 2'

claim "a table of one Skylake is surveyed" run 0 "$work/table.csv"
claim "  it has the members of a Skylake, worked out by hand" has "$skylake_is and .machine == \"mine\""
claim "the output of cpuid -r is surveyed" run 0 "$work/raw.txt"
claim "  it is the same Skylake" has "$skylake_is and .machine == \"raw.txt\""
claim "  processors that are alike are one kind, others are not" has 'map([.core, .general]) == [[0, 4], [2, 8]]'
claim "InstLatx64's text is surveyed" run 0 "$work/inst.txt"
claim "  it is the same Skylake, once" has "length == 1 and ($skylake_is)"
claim "several files are surveyed in order" run 0 "$work/table.csv" "$work/inst.txt"
claim "  each under its name" has 'map(.machine) == ["mine", "inst.txt"]'

sed '4s/.\{20\}$//' "$work/table.csv" >"$work/bad.csv"
claim "a cut row makes the run fail" run 1 "$work/bad.csv" "$work/table.csv"
claim "  it is named with file and line" says "$work/bad.csv:4: malformed row"
claim "  and the other machine is surveyed all the same" lines 1
head -3 "$work/table.csv" >"$work/bad.csv"
claim "a record that stops too early" run 1 "$work/bad.csv"
claim "  says which leaf is missing" says \
    "bad.csv:3: mine, core 0: the record is cut: leaf 00000006 is missing (leaf 00000000 says it is there)"
# A P core as of Meteor Lake: leaf 7 announces a hybrid part (EDX[15]), the architectural last-branch stack (EDX[19])
# and, in EAX[8] of subleaf 1, leaf 23H, whose EAX names the subleaves 1 and 3.
cat >"$work/hybrid.csv" <<'EOF'
machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx
p,A P core,me,0,00000000,00000000,00000023,756e6547,6c65746e,49656e69
p,A P core,me,0,00000001,00000000,000a06a4,00800800,00008000,10000000
p,A P core,me,0,00000006,00000000,00000004,00000002,00000009,00000000
p,A P core,me,0,00000007,00000000,00000002,00000000,00000000,00088000
p,A P core,me,0,00000007,00000001,00000100,00000000,00000000,00000000
p,A P core,me,0,0000000a,00000000,07300805,00000000,00000007,00008603
p,A P core,me,0,0000000b,00000000,00000001,00000002,00000100,00000000
p,A P core,me,0,0000001a,00000000,40000002,00000000,00000000,00000000
p,A P core,me,0,0000001c,00000000,4000000b,00000007,00000007,00000000
p,A P core,me,0,00000023,00000000,0000000a,00000000,00000000,00000000
p,A P core,me,0,00000023,00000001,000000ff,0000000f,00000000,00000000
p,A P core,me,0,00000023,00000003,00000dff,00000000,00000000,00000000
p,A P core,me,0,80000000,00000000,80000000,00000000,00000000,00000000
EOF
claim "a P core of a hybrid part is surveyed" run 0 "$work/hybrid.csv"
claim "  with all of its counters" has '.[0] | .description == "meteorlake" and .general == 8 and .fixed == 4 and
    .perf_metrics and .lbr == "architectural" and .lbr_depth == 32'
# cut_off ROW TEXT: without the row of that leaf and subleaf the record is refused.
cut_off() {
    sed "/,0,$1,/d" "$work/hybrid.csv" >"$work/bad.csv"
    claim "without leaf $1: refused" run 1 "$work/bad.csv"
    claim "  as cut, with machine and line" says "$work/bad.csv:13: p, core 0: the record is cut: $2"
    claim "  and nothing is said of that machine" lines 0
}
cut_off 00000001,00000000 "leaf 00000001 is missing (leaf 00000000 says it is there)"
cut_off 00000007,00000000 "leaf 00000007 is missing (leaf 00000000 says it is there)"
cut_off 00000007,00000001 "leaf 00000007 subleaf 1 is missing (leaf 00000007 says it is there)"
cut_off 0000000a,00000000 "leaf 0000000a is missing (leaf 00000000 says it is there)"
cut_off 0000001a,00000000 "leaf 0000001a is missing (leaf 00000000 says it is there)"
cut_off 0000001c,00000000 "leaf 0000001c is missing (leaf 00000000 says it is there)"
cut_off 00000023,00000000 "leaf 00000023 is missing (leaf 00000000 says it is there)"
cut_off 00000023,00000001 "leaf 00000023 subleaf 1 is missing (leaf 00000023 says it is there)"
cut_off 00000023,00000003 "leaf 00000023 subleaf 3 is missing (leaf 00000023 says it is there)"
# Leaf 0 denies what leaf 7 announces: then the leaves behind it are gone, too.
low='s/00000023,756e6547/00000019,756e6547/; /,0,0000001[ac],/d; /,0,00000023,/d'
sed "$low" "$work/hybrid.csv" >"$work/bad.csv"
claim "leaf 7 announces leaves above the highest: refused" run 1 "$work/bad.csv"
claim "  as cut" says "$work/bad.csv:9: p, core 0: the record is cut: leaf 0000001a is missing (leaf 00000007 says it is there)"
sed 's/49656e69/49656e68/' "$work/table.csv" >"$work/bad.csv"
claim "an unknown vendor" run 1 "$work/bad.csv"
claim "  is named" says 'bad.csv:2: "GenuhneIntel" is no vendor that is known'
{ cat "$work/table.csv"; sed -n '6s/404/804/p' "$work/table.csv"; } >"$work/bad.csv"
claim "a record that contradicts itself" run 1 "$work/bad.csv"
claim "  names both lines" says "bad.csv:9: the record contradicts itself: leaf 0000000a has another answer in line 6"
claim "  and nothing is said of that machine" lines 0
sed '7s/,00000002,/,0000ffff,/' "$work/table.csv" >"$work/bad.csv"
claim "more threads a core than their bits of the APIC id number" run 1 "$work/bad.csv"
claim "  are named" says "leaf 0000000b states 65535 threads a core and 1 bits that number them: threads_per_core is null"
claim "  and are null" has '.[0].threads_per_core == null and .[0].general == 4'
head -c 300 "$work/raw.txt" >"$work/bad.txt"
claim "cpuid -r cut in a line" run 1 "$work/bad.txt"
claim "  is named" says "bad.txt:5: malformed line"
claim "a file that is not there" run 2 "$work/nowhere"
claim "a folder" run 2 "$work"
claim "no file" run 2

# Leaf 0AH states 255 general counters, and counters of no bits.
# incredible FROM TO WORDS
incredible() {
    sed "s/$1/$2/" "$work/table.csv" >"$work/bad.csv"
    claim "$3: the record is surveyed" run 0 "$work/bad.csv"
    claim "  nothing counts there, for that reason" has \
        ".[0] | .counts == false and .why == \"CPUID 0AH says $3\" and .general == null and .fixed == null and .pmu_version == null and .description == \"skylake\""
}
incredible 07300404 0730ff04 "255 as the number of general counters, expected 0 to 32"
incredible 07300404 07000404 "0 as the width of general counters, expected 32 to 64"

if [ -f "$machines" ]; then
    # The expected answers come from the rules of manuals (survey_rules.py); `why` is a word of the reason.
    claim "the table of expected answers is what the rules make of the records" sh -c \
        "python3 tests/report/survey_rules.py '$machines' | cmp - $expected"
    claim "every record of a real machine is surveyed" run 0 "$machines"
    claim "  without a complaint" silent
    jq -r '[.machine, .core, .vendor, .signature, .description, .counts, .why, .pmu_version, .general, .fixed,
        .perf_metrics, .lbr, .lbr_depth, .threads_per_core] | map(if . == null then "null" else tostring end) | join("|")' \
        "$work/out" >"$work/answers"
    # Prints the machines and cores whose answer is not the expected one.
    awk -F'|' 'NR == FNR { if (FNR > 1) { gsub(/,/, "|"); want[FNR - 1] = $0 } next }
        {
            n = split(want[FNR], w, "|")
            bad = n != 14
            for (i = 1; i <= 14; i++)
                if (i != 7 && $i != w[i]) bad = 1
            if (w[7] == "" ? $7 != "null" : !index($7, w[7])) bad = 1
            if (bad) print $0, "expected", want[FNR]
        }
        END { if (FNR != length(want)) print FNR " answers" }' "$expected" "$work/answers" >"$work/wrong"
    same() { ! grep . "$work/wrong"; }
    claim "survey is right for every machine and kind of core ($(cut -d, -f1 "$expected" | sort -u | wc -l | awk '{ print $1 - 1 }') machines)" same
else
    number=$((number + 1))
    echo "ok $number - survey is right for every machine # SKIP no cpuid_machines.csv (SLOTSCOPE_FACTS)"
fi
finish
