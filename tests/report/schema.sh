#!/bin/sh
# Logs of every kind of run held against doc/log.schema.json, what the schema refuses, and a second validator that
# must agree: TAP on standard output.
#   schema.sh BUILD
set -u
. tests/boot.sh
schema=doc/log.schema.json
check=$build/tools/check_schema

# run NAME ARGUMENTS OPTIONS...
run() {
    name=$1 arguments=$2
    shift 2
    boot "$name" --args "$arguments" "$@"
}

# --- every kind of run ---
run default 'kernels=ret.nop' --cpu skylakex --cores 1
stick brief
printf 'detail = brief\n' >>"$work/brief.esp/slotscope/slotscope.cfg"
# Noise, so that the repeats of a node differ.
run brief 'kernels=ret.nop,mix.core.port,be.mem.contested' --cpu skylakex --cores 2 --fault noise:IDQ_UOPS_NOT_DELIVERED.CORE:9
run nodes 'kernels=be.mem.l2 nodes=tma_l2_bound explain=tma_l2_bound' --cpu skylakex --cores 1
run tree 'kernels=ret.nop levels=6 both=yes repeats=1' --cpu icelakex --cores 1
run hybrid 'kernels=ret.nop parallel=yes' --cpu alderlake --cores 2
run treeless 'kernels=cal.empty interval=100us intervals=2' --cpu core2 --cores 1
lie=fixed:0:10
run interval-doubted 'kernels=cal.empty levels=1 interval=20us intervals=2' --cpu sapphirerapids --cores 1 --fault $lie
run exact 'kernels=exact.* levels=1 repeats=1' --cpu skylakex --cores 1 --fault count:MEM_INST_RETIRED.ALL_LOADS:5
run counter 'kernels=cal.empty levels=1' --cpu skylakex --cores 1 --fault counter:3:-100 --fault fixed:2:-100
run smi 'kernels=be.mem.dram levels=1 repeats=1' --cpu skylakex --cores 1 --fault smi:20 --fault tsx
run rounds 'kernels=cpi.loops,lbr.sequence levels=1 repeats=1 warmup=0 loop=2' --cpu skylakex --cores 1 --fault count:UOPS_RETIRED.RETIRE_SLOTS:-50 --fault lies:150-9999
run costs 'kernels=cpi.latency samples=60 levels=1 repeats=3' --cpu skylakex --cores 1 --fault counter:0:stuck:214-390
run prescott 'kernels=ret.nop' --cpu prescott --cores 1
k10 "$work/k10.csv"
run zen4 'kernels=ret.nop' --cpu zen4 --cpuid "$work/k10.csv" --cores 1
run misspelt 'windw=4' --cpu skylakex --cores 1
run lost 'kernels=cal.empty levels=1 timeout=1' --cpu skylakex --cores 2 --fault stuck:1:52:nmi
run memory 'kernels=ret.nop,lbr.*,fe.icache,fe.mite' --cpu skylakex --cores 1 --fault uefi:8
# Kernels of the user's own that are ended.
stick own
mkdir "$work/own.esp/slotscope/kernels"
for kernel in ud return_less; do
    nasm -f bin -o "$work/own.esp/slotscope/kernels/$kernel.bin" tests/rig/own/$kernel.asm
    printf 'name own.%s\nn 10\n' $kernel >"$work/own.esp/slotscope/kernels/$kernel.exp"
done
run own 'kernels=own.* levels=1 repeats=1 warmup=0' --cpu skylakex --cores 1
# Core 0 has measured a kernel with core 1 as its partner; core 1 traps in the middle of its self-check, windows 164 to 254.
run trapped 'kernels=be.mem.contested nodes=none repeats=1 warmup=0' --cpu skylakex --cores 2 --fault ud:window:200
claim "trapped: its error has the registers" has trapped '.type == "error" and (.what | test("unexpected trap: #UD"))'
claim "trapped: core 0's kernel had a partner" has trapped '.type == "kernel" and .core == 0 and .partner == 1'

for log in "$work"/*.log; do
    claim "$(basename "$log"): the log is whole: records, CRCs, sequence, plan" whole "$log"
done
# records.jsonl has records of runs that take long: multiplexed ones, beside a sibling, with a description that is forced,
# of counters that lie, or doses beside a loaded sibling.
adopt "$check" --all "$schema" "$work"/*.log "tests/report/records.jsonl"

# --- what it refuses ---
# refused NAME FROM TO PROBLEM: the default run's log with one text replaced.
refused() {
    sed "$2" "$work/default.log" >"$work/changed"
    "$check" "$schema" "$work/changed" >"$work/out" && { echo "accepted"; return 1; }
    grep -F -- "$3" "$work/out" || { grep '^#' "$work/out"; return 1; }
}
seq_of() { records default "select(.type == \"$1\").seq" | head -1; }
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
        /usr/bin/python3 "tests/report/schema_agree.py" "$schema" "$work/cases" "$work/theirs" "tests/report/records.jsonl" "$work"/*.log
    "$check" --each "$schema" "$work/cases" >"$work/ours"
    claim "both agree on each of $(wc -l <"$work/cases") records, $(grep -c '^invalid' "$work/ours") of them invalid" cmp "$work/ours" "$work/theirs"
else
    number=$((number + 1))
    echo "ok $number - another validator agrees # SKIP python3-jsonschema 4 is not installed"
fi
finish
