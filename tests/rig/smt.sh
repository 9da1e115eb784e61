#!/bin/sh
# --smt: whole runs on cores of two threads, together and one at a time. TAP on standard output.
#   smt.sh BUILD
# A run is traced on Skylake and held against a core of one thread on Ice Lake; with SMT=all each is done on both.
set -u
. tests/boot.sh

# run NAME CPU ARGUMENTS OPTION...
run() {
    name=$1 cpu=$2 arguments=$3
    shift 3
    boot "$name" --cpu "$cpu" --cores 1 --args "kernels=$arguments" "$@"
}
# nodes NAME: the first core's nodes of a kernel whose windows are all alike. With a sibling there are four
# counters instead of eight, so events are counted in other passes, and the windows of some kernels differ by a
# few cycles. A node of slots that there are none of has no value (0/0) or is 0, as one clear in a window decides.
nodes() {
    records "$1" 'select(.type == "topdown" and .core == 0 and .kernel == "be.core.chain") |
        .nodes | map_values(. // 0)' >"$work/$1.nodes"
}
# same_nodes NAME OTHER: no node is apart by more than a thousandth. Those that are, are printed.
same_nodes() {
    nodes "$1"
    nodes "$2"
    jq -en --slurpfile a "$work/$1.nodes" --slurpfile b "$work/$2.nodes" '
        ($a | length) > 0 and ($a | length) == ($b | length) and ($a | map(keys)) == ($b | map(keys)) and
        all(range($a | length) as $i | $a[$i] | keys[] | [., $a[$i][.], $b[$i][.]];
            (.[1] - .[2] | fabs) <= 0.001 or (stderr | false))'
}
# has_sibling NAME WIDTH: in some windows of the truth the sibling has slots, and nowhere all of them.
has_sibling() {
    jq -es "[.[] | select(.slots.sibling)] | length > 0 and all(.slots.sibling < .cycles * $2)" "$work/$1.truth"
}

# shared NAME: CORE:WINDOW of a window in which the other thread takes slots.
shared() { jq -r 'select(.slots.sibling) | "\(.core):\(.window)"' "$work/$1.truth" | sed -n 5p; }
# as_many_lines NAME CORE:WINDOW
as_many_lines() {
    instructions=$(jq "select(.core == ${2%:*} and .window == ${2#*:}) | .instructions" "$work/$1.truth")
    [ "$(grep -c '^ *[0-9]' "$work/$1.trace")" = "$instructions" ]
}

# again_alike CPU: the same run, traced and profiled.
again_alike() {
    cpu=$1
    at=$(shared "$cpu")
    run "$cpu-again" "$cpu" "$together" --smt \
        --trace "$work/$cpu-again.trace" --trace-window "$at" --profile "$work/$cpu-again.profile"
    claim "$cpu: a trace of a shared core has as many lines as instructions in the truth" as_many_lines "$cpu-again" "$at"
    claim "$cpu: a second run, traced and profiled, gives the same log" same "$work/$cpu.log" "$work/$cpu-again.log"
    claim "$cpu: and the same truth" same "$work/$cpu.truth" "$work/$cpu-again.truth"
}
# halted_alike CPU: a kernel that does not depend on what the branch predictors have seen before; the edges of windows
# do, by a few cycles of 45,000.
halted_alike() {
    cpu=$1
    run "$cpu-halted" "$cpu" "be.core.chain scale=3 cores=0 warmup=0" --smt
    run "$cpu-alone" "$cpu" "be.core.chain scale=3 warmup=0"
    claim "$cpu: beside a halted thread no slot is the sibling's" absent '"sibling"' "$work/$cpu-halted.truth"
    claim "$cpu: and every node of be.core.chain is that of a core of one thread" same_nodes "$cpu-halted" "$cpu-alone"
}

together="be.core.chain,bs.coinflip,ret.nop parallel=yes levels=1 repeats=1 warmup=1"
for part in skylakex:4 icelakex:5; do
    cpu=${part%:*} width=${part#*:}
    run $cpu "$cpu" "$together" --smt
    no_failure $cpu
    claim "$cpu: a range that holds for a thread alone is not judged" grep -E \
        '^ok .* core 1 ret\.nop CPU_CLK_UNHALTED\.THREAD # SKIP the sibling thread runs ret\.nop' "$work/$cpu.log"
    claim "$cpu: raw totals of two threads that run at once are the truth's, slots add up" \
        "$build/tools/check_truth" "$work/$cpu.log" "$work/$cpu.truth"
    claim "$cpu: each thread has slots that were the other's" has_sibling "$cpu" "$width"
    claim "$cpu: every event counts, those of both threads too" absent unknown "$work/$cpu.err"
    [ "$cpu-${SMT-}" = icelakex- ] || again_alike "$cpu"
    [ "$cpu-${SMT-}" = skylakex- ] || halted_alike "$cpu"
done

# Core 0 or its sibling falls while it is measured: the other one, which works until it is told, does not work on.
# It would until the kernel's deadline of 60 s.
boot beside --cpu icelakex --cores 1 --smt --args "kernels=ret.nop levels=1 sibling=ret.nop repeats=1 warmup=1"
no_failure beside
for core in 0 1; do
    window=$(records beside "select(.type == \"counts\" and .core == $core and .beside) | .window" | head -n 1)
    # A fault counts the windows of all cores, as the lines of the truth do.
    window=$(grep -n "^{\"core\":$core,\"window\":$window," "$work/beside.truth" | head -n 1 | cut -d: -f1)
    boot falls-$core --cpu icelakex --cores 1 --smt --args "kernels=ret.nop levels=1 sibling=ret.nop repeats=1 warmup=1" \
        --seconds 60 --fault ud:window:"$window"
    claim "core $core falls beside its sibling: the run says so" \
        grep "core $core trapped in \(it\|ret\.nop\)" "$work/falls-$core.log"
    claim "core $core falls beside its sibling: the run ends within 5 s" \
        has falls-$core '.type == "end" and .duration_us < 5e6'
done

# A hybrid part: two P cores of two threads, whose APIC ids are 0, 1, 8 and 9, and an E core of one, 10H.
boot alderlake --cpu alderlake --smt --cores 3 --args "kernels=be.core.chain sibling=be.core.port levels=1 repeats=1 warmup=0"
no_failure alderlake
claim "alderlake: two P cores have two threads each, the E core one" [ \
    "$(records alderlake 'select(.type == "core") | "\(.apic_id):\(.threads_per_core)"' | paste -sd' ')" \
    = "0:2 1:2 8:2 9:2 16:1" ]
for core in 0 1 2 3; do
    claim "alderlake: thread $core is measured beside its loaded sibling" has alderlake \
        ".type == \"topdown\" and .core == $core and .kernel == \"be.core.chain\" and .nodes.tma_backend_bound > 0.7"
done
claim "alderlake: the E core is not, and the log says why" grep -E \
    '^ok .* core 4 be\.core\.chain.* # SKIP it has no sibling thread that could be loaded' "$work/alderlake.log"
claim "alderlake: slots of both kinds of cores add up" "$build/tools/check_truth" "$work/alderlake.log" "$work/alderlake.truth"

# Counters of two threads that are no siblings of Intel's kind: one set for both, and six for each.
run prescott prescott "cal.branches,cal.loads parallel=yes repeats=1 warmup=0" --smt
no_failure prescott
claim "prescott: calibration of two threads at once ends, with nothing failed" \
    has prescott '.type == "end" and .fail == 0'
# AMD counts the slots that the other thread has: beside a thread of additions half of them, and none alone.
run zen4 zen4 "cal.*,ret.nop parallel=yes repeats=1 warmup=1" --smt
in_order zen4
no_failure zen4
for core in 0 1; do
    claim "zen4: thread $core lacks the slots of its sibling" has zen4 ".type == \"topdown\" and .core == $core and
        .kernel == \"ret.nop\" and .nodes.smt_contention > 0.3 and .nodes.smt_contention + .nodes.retiring > 0.95"
done
finish
