#!/bin/sh
# build/tma as a user meets it: TAP on standard output. Its formulas are tested by tests/unit/formulas_test.c.
#   tma.sh BUILD
set -u
. tests/tap.sh
tma=$build/tma

# run STATUS ARGUMENT...: tma over $work/in, into $work/out and $work/err, must end so.
run() {
    wanted=$1
    shift
    "$tma" "$@" <"$work/in" >"$work/out" 2>"$work/err"
    status=$?
    [ "$status" -eq "$wanted" ] || { echo "status $status"; cat "$work/err"; return 1; }
}
# node LINE NAME: the value that line of the output gives the node.
node() { sed -n "$1p" "$work/out" | jq "select(has(\"$2\")).$2"; }
# near LINE NAME VALUE: to nine digits.
near() { node "$1" "$2" | awk -v want="$3" '{ d = $1 - want; seen = 1; ok = d < 1e-9 && d > -1e-9; print } END { exit !(seen && ok) }'; }
is() { [ "$(node "$1" "$2")" = "$3" ] || { echo "$2: $(node "$1" "$2")"; return 1; }; }
lines() { [ "$(wc -l <"$work/$1")" -eq "$2" ]; }
says() { grep -q -- "$1" "$work/err" || { cat "$work/err"; return 1; }; }
same() { run 0 "$1" && cp "$work/out" "$work/first" && run 0 "$2" && cmp "$work/first" "$work/out"; }

# 1000 cycles are 4000 slots on Skylake: 800 without a uop, 2400 issued, 2000 retired, 50 cycles of recovery. Of the core 1600 cycles
# were counted by both threads, which is 800 of each; 40 cycles of recovery by both.
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

# Of 510 in PERF_METRICS all four are 255 / 2; a modified event, and what a line says of its own.
echo '{"PERF_METRICS.RETIRING":51,"PERF_METRICS.BAD_SPECULATION":51,"PERF_METRICS.FRONTEND_BOUND":102,"PERF_METRICS.BACKEND_BOUND":51,"TOPDOWN.SLOTS:perf_metrics":6000,"INT_MISC.UOP_DROPPING":60,"CPU_CLK_UNHALTED.THREAD":1200,"IDQ.MS_UOPS:c1":396,"no.such":1,"tma_info_thread_clks":5}' >"$work/in"
claim "Ice Lake with PERF_METRICS" run 0 icelakex
claim "  tma_frontend_bound is 102 / 255 - 60 / 6000" near 1 tma_frontend_bound 0.39
claim "  tma_ms is 396 / 1200 / 3.3" near 1 tma_ms 0.1
claim "  NA is no value" is 1 tma_cxl_mem_bound null
echo '{"#PERF_METRICS_MSR":0,"UOPS_RETIRED.SLOTS":1500,"TOPDOWN.SLOTS":6000,"TOPDOWN.SLOTS:perf_metrics":1}' >"$work/in"
claim "  parameters come with the counts" run 0 icelakex
claim "    tma_retiring is 1500 / 6000" near 1 tma_retiring 0.25

printf '%s\n' "{$skx}" '{"UOPS_ISSUED.ANY":1,"UOPS_RETIRED.RETIRE_SLOTS":x}' '' '{}' "{$skx}" '{"UOPS_ISSUED.ANY":1' '[1]' >"$work/in"
claim "a malformed line does not end the run, and makes it fail" run 1 skylakex
claim "  it is named with line, column and what was expected" says "line 2, column 50: expected a number or null"
claim "  so is the next, which stops too early" says "line 6, column 21: expected , or }"
claim "  and one that is no object" says "line 7, column 1: expected {"
claim "  answers stay in step: one for each line that is not empty" lines out 6
claim "  null stands for the malformed one" sh -c "sed -n 2p '$work/out' | grep -qx null"
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
claim "a name that no formula uses is passed over, however long" run 0 skylakex
claim "  tma_retiring is 2000 / 4000" near 1 tma_retiring 0.5
claim "a list that cannot be written is status 1" sh -c "'$tma' --list >/dev/full; [ \$? -eq 1 ]"
claim "--list" run 0 --list
claim "  names descriptions and what they answer for" grep -qx "skylakex SKX" "$work/out"
claim "  the one that answers for nothing as well" grep -qx "architectural" "$work/out"
finish
