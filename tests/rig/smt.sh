#!/bin/sh
# --smt: whole runs on cores of two threads, together and one at a time. TAP on standard output.
#   smt.sh BUILD
set -u
build=$1
work=$build/smt
number=0 failures=0
rm -rf "$work"
mkdir -p "$work"

claim() { # TEXT COMMAND...
    text=$1
    shift
    number=$((number + 1))
    if "$@" >"$work/claim.out" 2>&1; then
        echo "ok $number - $text"
    else
        echo "not ok $number - $text"
        failures=$((failures + 1))
        sed 's/^/# /' "$work/claim.out" | head -20
    fi
}
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
# Their counters: one set between two threads, and six of each.
for cpu in prescott zen4; do
    boot "$cpu" "$cpu" "kernels=cal.* parallel=yes" --smt
    claim "$cpu: calibration of two threads at once" none '^not ok' "$work/$cpu.log"
    claim "$cpu: it was measured" grep -q '"type":"end".*"fail":0' "$work/$cpu.log"
done
echo "1..$number"
[ "$failures" -eq 0 ]
