#!/bin/sh
# build/tma as a user meets it: TAP on standard output. Its formulas are tested by tests/unit/formulas_test.c.
#   tma.sh BUILD
set -u
. tests/tap.sh
tma=$build/tma

# run STATUS ARGUMENT...: tma over $work/in, into $work/out and $work/err, must end with that status.
run() {
    wanted=$1
    shift
    "$tma" "$@" <"$work/in" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq "$wanted" ] || { echo "status $status"; cat "$work/err"; return 1; }
}
# node LINE NAME: the value that line of the output gives the node.
node() { sed -n "$1p" "$work/out" | jq "select(has(\"$2\")).$2"; }
# near LINE NAME VALUE: that value of the node, to 1e-9.
near() { node "$1" "$2" | awk -v want="$3" '{ d = $1 - want; seen = 1; ok = d < 1e-9 && d > -1e-9; print } END { exit !(seen && ok) }'; }
is() { [ "$(node "$1" "$2")" = "$3" ] || { echo "$2: $(node "$1" "$2")"; return 1; }; }
lines() { [ "$(wc -l <"$work/$1")" -eq "$2" ]; }
says() { grep -q -- "$1" "$work/err" || { cat "$work/err"; return 1; }; }
same() { run 0 "$1" && cp "$work/out" "$work/first" && run 0 "$2" && cmp "$work/first" "$work/out"; }

# 1000 cycles are 4000 slots on Skylake: 800 without a uop, 2400 issued, 2000 retired, 50 cycles of recovery.
# Summed over both threads of the core: 1600 cycles, which are 800 of the core, and 40 cycles of recovery.
skx='"CPU_CLK_UNHALTED.THREAD":1000,"IDQ_UOPS_NOT_DELIVERED.CORE":800,"UOPS_ISSUED.ANY":2400,"UOPS_RETIRED.RETIRE_SLOTS":2000,"INT_MISC.RECOVERY_CYCLES":50'
both='"CPU_CLK_UNHALTED.THREAD_ANY":1600,"INT_MISC.RECOVERY_CYCLES_ANY":40,"CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE":20,"CPU_CLK_UNHALTED.REF_XCLK":40'
echo "{$skx,$both}" >"$work/in"
claim "a thread alone" run 0 skylakex
claim "  tma_frontend_bound is 800 / 4000" near 1 tma_frontend_bound 0.2
claim "  tma_bad_speculation is (2400 - 2000 + 4 * 50) / 4000" near 1 tma_bad_speculation 0.15
claim "  tma_retiring is 2000 / 4000" near 1 tma_retiring 0.5
claim "  tma_memory_bound has no value without its events" is 1 tma_memory_bound null
claim "a core with both threads" run 0 skylakex --smt core
claim "  tma_bad_speculation is (2400 - 2000 + 4 * 40 / 2) / (4 * 1600 / 2)" near 1 tma_bad_speculation 0.15
claim "  tma_retiring is 2000 / 3200" near 1 tma_retiring 0.625
claim "one of two threads" run 0 skylakex --smt thread
claim "  tma_retiring is 2000 / (4 * 1000 / 2 * (1 + 20 / 40))" near 1 tma_retiring 0.66666666666666663
claim "the vendor's key answers as the name does" same SKX skylakex

# Twice as many slots without a uop as there are, 8000 of 4000; 40 of them, a hundredth, over all of them is noise.
sed 's/"IDQ_UOPS_NOT_DELIVERED.CORE":800/"IDQ_UOPS_NOT_DELIVERED.CORE":8000/' "$work/in" >"$work/no-share"
sed 's/"IDQ_UOPS_NOT_DELIVERED.CORE":800/"IDQ_UOPS_NOT_DELIVERED.CORE":4040/' "$work/in" >>"$work/no-share"
cp "$work/no-share" "$work/in"
claim "a formula's value is printed, share or not" run 0 skylakex
claim "  tma_frontend_bound is 8000 / 4000" near 1 tma_frontend_bound 2
claim "  nothing is said of it" lines err 0
claim "--shares" run 0 skylakex --shares
claim "  2 is no share" is 1 tma_frontend_bound null
claim "  which is said with its line" says 'line 1, tma_frontend_bound: its formula gives 2.000, outside of 0 to 1'
claim "  1.01 is one" near 2 tma_frontend_bound 1.01
claim "  tma_retiring is one" near 1 tma_retiring 0.5

# The four bytes of PERF_METRICS are shares of their sum, 255; IDQ.MS_UOPS:c1 is a modified event; the last two
# names mean nothing to the formulas.
echo '{"PERF_METRICS.RETIRING":51,"PERF_METRICS.BAD_SPECULATION":51,"PERF_METRICS.FRONTEND_BOUND":102,"PERF_METRICS.BACKEND_BOUND":51,"TOPDOWN.SLOTS:perf_metrics":6000,"INT_MISC.UOP_DROPPING":60,"CPU_CLK_UNHALTED.THREAD":1200,"IDQ.MS_UOPS:c1":396,"no.such":1,"tma_info_thread_clks":5}' >"$work/in"
claim "Ice Lake with PERF_METRICS" run 0 icelakex
claim "  tma_frontend_bound is 102 / 255 - 60 / 6000" near 1 tma_frontend_bound 0.39
claim "  tma_ms is 396 / 1200 / 3.3" near 1 tma_ms 0.1
claim "  NA is no value" is 1 tma_cxl_mem_bound null
echo '{"#PERF_METRICS_MSR":0,"UOPS_RETIRED.SLOTS":1500,"TOPDOWN.SLOTS":6000,"TOPDOWN.SLOTS:perf_metrics":1}' >"$work/in"
claim "  parameters come with the counts" run 0 icelakex
claim "    tma_retiring is 1500 / 6000" near 1 tma_retiring 0.25

printf '%s\n' "{$skx}" '{"UOPS_ISSUED.ANY":1,"UOPS_RETIRED.RETIRE_SLOTS":x}' '' '{}' "{$skx}" '{"UOPS_ISSUED.ANY":1' '[1]' \
    '{"a":1,"a":2}' '{"a":1} x' '{"a":1e999}' '{"UOPS_ISSUED.ANY":"1"}' >"$work/in"
claim "a malformed line does not end the run, and makes it fail" run 1 skylakex
claim "  it is named with line, column and what is wrong" says "line 2, column 50: invalid token near 'x'"
claim "  so is a line that stops too early" says "line 6, column 20: '}' expected near end of file"
claim "  and an array" says "line 7, column 1: an array, expected an object"
claim "  and a name that comes twice" says 'line 8, column 10: duplicate object key near '
claim "  and text after the object" says "line 9, column 9: end of file expected near 'x'"
claim "  and a number that no double can hold" says "line 10, column 10: real number overflow near '1e999'"
claim "  and a value that is no number" says 'line 11, member "UOPS_ISSUED.ANY": a string, expected a number or null'
claim "  answers stay in step: one for each line that is not empty" lines out 10
claim "  null answers the malformed one" sh -c "sed -n 2p '$work/out' | grep -qx null"
claim "  and the line after is answered" near 4 tma_retiring 0.5
: >"$work/in"
claim "no line, no answer" run 0 skylakex
claim "  nothing is printed" lines out 0
claim "an unknown CPU is status 2" run 2 pentium
claim "  in one line" lines err 1
claim "an unknown mode is status 2" run 2 skylakex --smt both
claim "  in one line" lines err 1
claim "an unknown option is status 2" run 2 --frobnicate skylakex
claim "no CPU is status 2" run 2
long=$(printf 'n%.0s' $(seq 500))
echo "{\"$long\":1,$skx}" >"$work/in"
claim "a name that no formula uses is ignored, however long" run 0 skylakex
claim "  tma_retiring is 2000 / 4000" near 1 tma_retiring 0.5
claim "a list that cannot be written is status 1" sh -c "'$tma' --list >/dev/full; [ \$? -eq 1 ]"
claim "--list" run 0 --list
claim "  names descriptions and the tables that they restate" grep -qx "skylakex SKX" "$work/out"
claim "  also a description that restates none" grep -qx "architectural" "$work/out"
finish
