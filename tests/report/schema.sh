#!/bin/sh
# Logs of every kind of run held against doc/log.schema.json, what the schema refuses, and a second validator that must agree:
# TAP on standard output.
#   schema.sh BUILD
set -u
here=$(dirname "$0")
schema=doc/log.schema.json
check=$build/tools/check_schema
. tests/tap.sh

# A program that prints TAP: its tests are ours.
adopt() {
    "$@" >"$work/adopt.out" 2>&1
    status=$?
    grep -vE '^((not )?ok|1\.\.)' "$work/adopt.out"
    sed -n 's/^\(not \)*ok [0-9]* - /\1ok - /p' "$work/adopt.out" >"$work/adopt.lines"
    while read -r line; do
        number=$((number + 1))
        echo "${line%%ok - *}ok $number - ${line#*ok - }"
        [ "${line%%ok - *}" = "" ] || failures=$((failures + 1))
    done <"$work/adopt.lines"
    [ "$status" -eq 0 ] || grep -q '^not ok' "$work/adopt.lines" || claim "$* ends with status 0" false
}
# boot NAME ARGUMENTS OPTIONS...: the log to $work/NAME.log
boot() {
    name=$1 arguments=$2
    shift 2
    rm -rf "$work/esp"
    cp -r "$build/esp" "$work/esp"
    [ ! -f "$work/$name.efi" ] || cp "$work/$name.efi" "$work/esp/EFI/BOOT/BOOTX64.EFI"
    "$build/rig" --esp "$work/esp" --seconds 300 --args "$arguments" "$@" 2>"$work/$name.err" | tr -d '\r' >"$work/$name.log"
}

# --- every kind of run ---
boot default 'kernels=ret.nop' --cpu skylakex --cores 1
boot nodes 'kernels=be.mem.l2 nodes=tma_l2_bound explain=tma_l2_bound' --cpu skylakex --cores 1
boot tree 'kernels=ret.nop levels=6 both=yes' --cpu icelakex --cores 1
boot hybrid 'kernels=ret.nop parallel=yes' --cpu alderlake --cores 2
boot auto 'kernels=be.mem.l2 levels=auto' --cpu skylakex --cores 1
boot sibling 'kernels=ret.nop sibling=ret.nop levels=1 repeats=1 warmup=0' --cpu ivybridge --cores 1 --smt
boot treeless 'kernels=cal.empty interval=100us intervals=2' --cpu core2 --cores 1
boot forced 'kernels=mix.core.port,ret.nop cpu=icelakex both=yes multiplex=yes repeats=1 warmup=0' --cpu sapphirerapids --cores 1
boot interval-forced 'kernels=cal.empty cpu=icelakex interval=100us intervals=2' --cpu skylakex --cores 1
lie=count:BR_INST_RETIRED.ALL_BRANCHES:10
boot doubted 'kernels=mix.core.port,ret.nop both=yes multiplex=yes repeats=1 warmup=0' --cpu icelakex --cores 1 --fault $lie
boot interval-doubted 'kernels=cal.empty interval=100us intervals=2' --cpu icelakex --cores 1 --fault $lie
boot exact 'kernels=exact.*' --cpu skylakex --cores 1 --fault count:MEM_INST_RETIRED.ALL_LOADS:5
boot smi 'kernels=cal.empty' --cpu skylakex --cores 1 --fault smi:10
boot prescott 'kernels=ret.nop' --cpu prescott --cores 1
boot zen4 'kernels=ret.nop' --cpu zen4 --cores 1
boot refused 'windw=4' --cpu skylakex --cores 1
boot memory '' --cpu skylakex --cores 1 --fault uefi:7
# A kernel that traps; what is already built is not built again.
mkdir -p "$work/source/tests/qemu" "$work/source/build"
cp -a Makefile linker.ld boot pmu kernels harness "$work/source/"
cp -a "$build/image" "$build/asm" "$work/source/build/"
cp tests/setup.sh tests/step.sh "$work/source/tests/"
touch "$work/source/build/.packages" "$work/source/tests/qemu/image.sh"
printf '%s\n' '%include "kernels/kernel.inc"' 'KERNEL zz.trap, "an instruction that no processor has"' \
    '    ITERATIONS 100' '    EXPECT INST_RETIRED.ANY, n, n' 'CODE' '    ud2' '    ret' 'ENDKERNEL' >"$work/source/kernels/zz.trap.asm"
claim "an image with a kernel that traps is built" make -s -C "$work/source" BUILD=build build/BOOTX64.EFI
cp "$work/source/build/BOOTX64.EFI" "$work/trap.efi"
boot trap 'kernels=zz.trap' --cpu skylakex --cores 2

for log in "$work"/*.log; do
    claim "$(basename "$log"): records, CRCs, sequence, plan" "$build/tools/check_log" "$log"
done
# records.jsonl has records of runs that take long: a multiplexed one or doses beside a loaded sibling.
adopt "$check" --all "$schema" "$work"/*.log "$here/records.jsonl"

# --- what it refuses ---
# refused NAME FROM TO PROBLEM: the default run's log with one text replaced.
refused() {
    sed "$2" "$work/default.log" >"$work/changed"
    "$check" "$schema" "$work/changed" >"$work/out" && { echo "accepted"; return 1; }
    grep -F -- "$3" "$work/out" || { grep '^#' "$work/out"; return 1; }
}
seq_of() { sed -n "s/^{\"type\":\"$1\",\"seq\":\([0-9]*\),.*/\1/p" "$work/default.log" | head -1; }
for kind in machine core kernel counts topdown cpi lbr guard exactness end; do
    seq=$(seq_of $kind)
    claim "$kind: a missing member is named with its record" \
        refused $kind "s/^\({\"type\":\"$kind\",\"seq\":$seq,.*\),\"crc\":\"[0-9a-f]*\"}/\1}/" "record $seq ($kind): /crc: found nothing"
    claim "$kind: a wrong type is named with its record" \
        refused $kind "s/^\({\"type\":\"$kind\",\"seq\":$seq,.*\),\"crc\":\"[0-9a-f]*\"}/\1,\"crc\":12}/" "record $seq ($kind): /crc: found 12, expected string"
    claim "$kind: an unknown member is named with its record" \
        refused $kind "s/^\({\"type\":\"$kind\",\"seq\":$seq,\)/\1\"surprise\":[],/" "record $seq ($kind): /surprise: found [], expected no such member here"
done
claim "a kind that the schema does not know is named" \
    refused kind 's/^{"type":"cpi","seq":\([0-9]*\)/{"type":"ipc","seq":\1/' "record $(seq_of cpi) (ipc): /type: found \"ipc\""
claim "a line that is no JSON is named" refused json "s/^{\"type\":\"end\"/{\"type\":end/" "not JSON"
printf 'TAP version 14\n1..0\n' >"$work/empty"
claim "a log without records fails" sh -c "! '$check' '$schema' '$work/empty'"
claim "a log that is not there is status 2" sh -c "'$check' '$schema' '$work/no-such' 2>/dev/null; [ \$? -eq 2 ]"
claim "a schema that is no JSON is status 2" sh -c "'$check' '$work/empty' '$work/default.log' 2>/dev/null; [ \$? -eq 2 ]"
sed 's/"uniqueItems"/"contains"/' "$schema" >"$work/unknown.json"
claim "a schema with an unknown keyword is status 2" \
    sh -c "'$check' '$work/unknown.json' '$work/default.log' 2>'$work/err'; [ \$? -eq 2 ] && grep -q 'contains: a keyword that is not known' '$work/err'"

# --- a second validator, Debian's python3-jsonschema ---
if /usr/bin/python3 -c 'from jsonschema import Draft202012Validator' 2>/dev/null; then
    claim "another validator reads the schema, and records by the thousand are changed" \
        /usr/bin/python3 "$here/schema_agree.py" "$schema" "$work/cases" "$work/theirs" "$here/records.jsonl" "$work"/*.log
    "$check" --each "$schema" "$work/cases" >"$work/ours"
    claim "both agree on each of $(wc -l <"$work/cases") records, $(grep -c '^invalid' "$work/ours") of them invalid" cmp "$work/ours" "$work/theirs"
else
    number=$((number + 1))
    echo "ok $number - another validator agrees # SKIP python3-jsonschema 4 is not installed"
fi
finish
