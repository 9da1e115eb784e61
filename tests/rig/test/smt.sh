#!/bin/sh
# --smt: whole runs on cores of two threads, together and one at a time. TAP on standard output.
#   smt.sh BUILD
set -u
build=$1
work=$build/smt
. "$(dirname "$0")/../../tap.sh"
rm -rf "$work"
mkdir -p "$work"

boot() { # NAME CPU ARGUMENTS OPTIONS...
    name=$1 cpu=$2 arguments=$3
    shift 3
    rm -rf "$work/$name.esp"
    cp -r "$build/esp" "$work/$name.esp"
    "$build/rig" --cpu "$cpu" --cores 1 --esp "$work/$name.esp" --args "$arguments" --truth "$work/$name.truth" \
        --seconds 300 "$@" >"$work/$name.serial" 2>"$work/$name.err"
    tr -d '\r' <"$work/$name.serial" >"$work/$name.log"
}
none() { ! grep -E "$1" "$2"; }
# The first core's nodes of a kernel whose windows are all alike: with a sibling there are four counters instead of eight, so
# events are counted in other passes, and the windows of some kernels differ by a few cycles.
nodes() { grep '"type":"topdown"' "$work/$1.log" | grep '"core":0' | grep '"kernel":"be.core.chain"' | sed 's/.*\("kernel":"[^"]*"\).*\("nodes":{[^}]*}\).*/\1 \2/; s/:-0\.0000/:0.0000/g'; }
same_nodes() { nodes "$1" >"$work/$1.nodes"; nodes "$2" >"$work/$2.nodes"; [ -s "$work/$1.nodes" ] && cmp "$work/$1.nodes" "$work/$2.nodes"; }
# In the truth's windows the sibling has a part, and it is never all there is.
has_sibling() {
    awk -F'"cycles":' '/"sibling":/ { split($2, c, ","); s = $0; sub(/.*"sibling":/, "", s); sub(/[^0-9].*/, "", s); n++
        if (s + 0 >= c[1] * width) exit 1 } END { exit !n }' width="$2" "$work/$1.truth"
}

kernels=kernels=be.core.chain,bs.coinflip
for part in skylakex:4 icelakex:5; do
    cpu=${part%:*} width=${part#*:}
    boot "$cpu" "$cpu" "$kernels parallel=yes" --smt
    claim "$cpu: raw totals of two threads that run at once are the truth's, slots add up" \
        "$build/tools/check_truth" "$work/$cpu.log" "$work/$cpu.truth"
    claim "$cpu: each thread has slots that were the other's" has_sibling "$cpu" "$width"
    claim "$cpu: every event counts, those of both threads too" none 'unknown' "$work/$cpu.err"
    cp "$work/$cpu.log" "$work/$cpu.first.log"
    cp "$work/$cpu.truth" "$work/$cpu.first.truth"
    boot "$cpu" "$cpu" "$kernels parallel=yes" --smt
    claim "$cpu: two runs give the same log" cmp "$work/$cpu.log" "$work/$cpu.first.log"
    claim "$cpu: and the same truth" cmp "$work/$cpu.truth" "$work/$cpu.first.truth"
    # Kernels that do not depend on what the branch predictors have seen before; the edges of windows do, by a few cycles, of
    # which 300,000 leave nothing in four digits.
    boot "$cpu-halted" "$cpu" "kernels=be.core.chain scale=20" --smt
    boot "$cpu-alone" "$cpu" "kernels=be.core.chain scale=20"
    claim "$cpu: beside a halted thread no slot is the sibling's" none '"sibling"' "$work/$cpu-halted.truth"
    claim "$cpu: and every node of be.core.chain is that of a core of one thread" same_nodes "$cpu-halted" "$cpu-alone"
done
# A core as a whole: the measured thread and its loaded sibling over the same windows, by the sums of their counts.
all_level_1() { # NAME KERNELS: of each kernel on each thread the four nodes were held against the truth, and none had no value
    [ "$(grep -cE 'both threads beside .* tma_(frontend_bound|bad_speculation|backend_bound|retiring) [^h].*truth.* off by' \
        "$work/$1.check")" -eq $((4 * 2 * $2)) ]
}
holds() { "$build/tools/check_truth" "$work/$1.log" "$work/$1.truth" >"$work/$1.check" || { grep '^not ok' "$work/$1.check"; false; }; }
# Each counts record of a core has its fellow of the other thread, and every figure its windows.
fellows() {
    of0=$(grep '"type":"counts"' "$work/$1.log" | grep '"scope":"core"' | grep -c '"core":0')
    of1=$(grep '"type":"counts"' "$work/$1.log" | grep '"scope":"core"' | grep -c '"core":1')
    [ "$of0" -gt 0 ] && [ "$of0" -eq "$of1" ]
}
asks_any() { grep '"scope":"core"' "$work/$1.log" | grep -qE '"(CPU_CLK_UNHALTED.THREAD|INT_MISC.RECOVERY_CYCLES)(_P)?_ANY"'; }
asks_no_any() { ! asks_any "$1"; }
for part in skylakex:ret.alu:asks_any icelakex:be.mem.l2:asks_no_any haswell:bs.coinflip:asks_any; do
    cpu=${part%%:*} beside=${part#*:} any=${part##*:}
    name=$cpu-core
    boot "$name" "$cpu" "kernels=be.core.chain,bs.coinflip sibling=${beside%:*}" --smt
    claim "$name: the run ends with nothing that fails" grep -q '"type":"end".*"fail":0' "$work/$name.log"
    claim "$name: and no error" none '^{"type":"error"' "$work/$name.log"
    claim "$name: records, CRCs, sequence, plan" "$build/tools/check_log" "$work/$name.log"
    claim "$name: the sums of both threads against the truth of both" holds "$name"
    claim "$name: all nodes of level 1" all_level_1 "$name" 2
    claim "$name: as many counts of one thread as of the other" fellows "$name"
    claim "$name: events of any thread where the CPU has them" "$any" "$name"
    claim "$name: slots of both threads are those of the core" \
        [ "$(grep -c '^ok .* both threads: slots, of width x cycles [01]' "$work/$name.log")" -eq 4 ]
done
boot again haswell 'kernels=be.core.chain,bs.coinflip sibling=bs.coinflip' --smt
claim "haswell-core: two runs give the same log" cmp "$work/again.log" "$work/haswell-core.log"
boot skylakex-any skylakex 'kernels=be.core.chain sibling=ret.alu' --smt --fault count:CPU_CLK_UNHALTED.THREAD_P:5
claim "any-thread cycles that count too much: the slots of both threads say so" \
    grep -qE '^not ok .* both threads: slots, of width x cycles 1\.0(49|50)' "$work/skylakex-any.log"
# Their counters: one set between two threads, and six of each.
for cpu in prescott zen4; do
    boot "$cpu" "$cpu" "kernels=cal.* parallel=yes" --smt
    claim "$cpu: calibration of two threads at once" none '^not ok' "$work/$cpu.log"
    claim "$cpu: it was measured" grep -q '"type":"end".*"fail":0' "$work/$cpu.log"
done
finish
