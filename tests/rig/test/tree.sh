#!/bin/sh
# The whole published Topdown tree on the virtual rig, and the ways to ask for less of it: TAP on standard output.
#   tree.sh BUILD
# Of the kernels that name a leaf of the tree every second runs, on one of the personalities in turn; with TREE=all each runs on
# every one of them, on one core (some minutes each). tests/rig/test/tree/known lists the verdicts that are known to fail.
set -u
build=$1
here=$(dirname "$0")
work=$build/tree
. "$(dirname "$0")/../../tap.sh"
deepest=6
personalities='skylakex icelakex haswell ivybridge sapphirerapids graniterapids alderlake'
rm -rf "$work"
mkdir -p "$work"

# A program that prints TAP: one claim for all of it, its failures and comments printed.
adopt() { # TEXT COMMAND...
    text=$1
    shift
    "$@" >"$work/adopt.out" 2>&1
    status=$?
    claim "$text ($(grep -c '^ok' "$work/adopt.out") of $(grep -cE '^(not )?ok' "$work/adopt.out"))" [ "$status" -eq 0 ]
    grep '^not ok' "$work/adopt.out" | head -10 | sed 's/^/# /'
    grep '^#' "$work/adopt.out" | head -12
}
boot() { # NAME CONFIGURATION ARGUMENTS...
    name=$1
    mkdir -p "$work/$name.esp"
    cp -r "$build/esp/." "$work/$name.esp/"
    printf "$2" >"$work/$name.esp/slotscope/slotscope.cfg"
    shift 2
    "$build/rig" --esp "$work/$name.esp" --truth "$work/$name.truth" --seconds 600 "$@" >"$work/$name.serial" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
    tr -d '\r' <"$work/$name.serial" >"$work/$name.log"
}
# The same beside others: as many as the host has processors.
running=0
start() {
    boot "$@" &
    running=$((running + 1))
    [ $((running % $(nproc))) -ne 0 ] || wait
}
ended() { [ "$(cat "$work/$1.status")" = 0 ] && grep -q '^{"type":"end"' "$work/$1.log"; }
whole() {
    claim "$1: the image ends the run itself" ended "$1"
    claim "$1: records, CRCs, sequence, plan" "$build/tools/check_log" "$work/$1.log"
}
# Kernels with a leaf, apart by commas. share NUMBER OF PATTERN NAMES: every OF-th of those whose name matches, from NUMBER on;
# with TREE=all NAMES, since a configuration has no room for each of them by name.
share() {
    if [ "${TREE-}" = all ]; then
        echo "$4"
    else
        grep -lE '^ *LEAF' kernels/*.asm | sed 's,.*/,,; s/\.asm$//' | grep -E "$3" |
            awk -v n="$1" -v of="$2" 'NR % of == n' | paste -sd,
    fi
}
# unknown_failures CPU: verdicts that failed and are not listed.
unknown_failures() {
    grep '^not ok' "$work/$1.log" >"$work/$1.failed" || true
    awk -F '\t' -v cpu="$1" '!/^#/ && $1 == cpu { print $2 }' "$here/tree/known" >"$work/$1.known"
    if [ -s "$work/$1.known" ]; then
        ! grep -vEf "$work/$1.known" "$work/$1.failed"
    else
        ! cat "$work/$1.failed" | grep .
    fi
}

# --- every node, down to the deepest ---
n=0
for cpu in $personalities; do
    kernels=$(share $n 14 '^[^m]' 'be.*, bs.*, fe.*, ret.*')
    cores=all
    [ "${TREE-}" = all ] && cores=0
    [ $cpu = alderlake ] && cores=0 # its E cores' lower nodes mean other things
    start $cpu "levels = $deepest\ncores = $cores\nkernels = ${kernels:-be.mem.l2}\n" --cpu $cpu --cores 2
    n=$((n + 1))
done
wait
for cpu in $personalities; do
    whole $cpu
    claim "$cpu: levels = $deepest, $(grep -c '^ok' "$work/$cpu.log") verdicts hold, the others are known" unknown_failures $cpu
    adopt "$cpu: the tree against the truth" "$build/tools/check_truth" "$work/$cpu.log" "$work/$cpu.truth"
done

# --- less of it ---
passes() { grep -c '"type":"counts"' "$work/$1.log"; } # two lines a pass: n and 2n iterations
some='be.mem.l2, be.mem.dram, bs.coinflip, fe.icache'
start full "levels = $deepest\nkernels = $some\n" --cpu skylakex --cores 1
start auto "levels = auto\nkernels = $some\n" --cpu skylakex --cores 1
start rotated 'levels = 3\nkernels = be.mem.l2, bs.coinflip\nmultiplex = yes\n' --cpu skylakex --cores 1
start beside 'levels = 2\nkernels = be.core.chain, ret.alu\nsibling = be.core.chain\n' --cpu skylakex --cores 2 --smt
start intervals 'levels = 2\nkernels = be.mem.l2\ninterval = 200us\nintervals = 5\n' --cpu skylakex --cores 1
start explained 'kernels = be.mem.l2\nexplain = tma_memory_bound\n' --cpu skylakex --cores 1
start forced 'levels = 2\nkernels = be.mem.l2\ncpu = icelakex\n' --cpu skylakex --cores 1
wait
for name in full auto rotated beside intervals explained forced; do
    whole $name
done
claim "auto: $(passes auto) lines of counts, at most a third of $(passes full)" [ $(($(passes auto) * 3)) -le "$(passes full)" ]
claim "auto: no verdict failed" absent '^not ok' "$work/auto.log"
adopt "multiplexed: errors as the truth's windows have them" "$build/tools/check_multiplex" "$work/rotated.log" "$work/rotated.truth"
claim "sibling: what ran beside is said" grep -q '"type":"topdown".*"beside":"be.core.chain"' "$work/beside.log"
claim "sibling: no error" absent '^{"type":"error"' "$work/beside.log"
claim "interval: nodes by interval" grep -q '"type":"topdown".*"interval":1,' "$work/intervals.log"
claim "explain: the node is there" grep -q '"tma_memory_bound":0\.' "$work/explained.log"
claim "explain: no error" absent '^{"type":"error"' "$work/explained.log"
claim "forced: records are there" grep -qE '"core":0,"kernel".*"forced":true' "$work/forced.log"
claim "forced: every record of a forced core says so" sh -c "! grep -E '^\{.*\"core\":' '$work/forced.log' | grep -v '\"forced\":true'"

# --- what cannot be asked for ---
refuse() { # NAME CONFIGURATION WHERE
    boot "$1" "$2" --cpu skylakex --cores 1
    claim "$1: the error says where: $3" grep -qE "^\{\"type\":\"error\".*$3" "$work/$1.log"
    claim "$1: nothing is measured" absent '^\{"type":"(counts|topdown|cpi)"' "$work/$1.log"
    claim "$1: a verdict says so" grep -q '^not ok 1 - configuration' "$work/$1.log"
}
refuse too-deep 'repeats = 3\nlevels = 9\n' 'slotscope.cfg:2:10.*1\.\.6'
refuse unknown-node 'nodes = tma_nonsense\n' 'tma_nonsense'
refuse unknown-cpu 'cpu = nonsense\n' 'nonsense'

# --- doses: what a knob turns, its node follows ---
n=0
for cpu in skylakex icelakex haswell sapphirerapids; do
    kernels=$(share $n 4 '^mix' 'mix.*')
    [ -z "$kernels" ] || start dose-$cpu "levels = 3\nkernels = $kernels\n" --cpu $cpu --cores 1
    n=$((n + 1))
done
wait
linear() { # at least 0.98
    sed -n 's/^{"type":"dose".*"kernel":"\([^"]*\)".*"r_squared":\([0-9.]*\).*/\2 \1/p' "$1" >"$work/doses"
    cat "$work/doses"
    [ -s "$work/doses" ] && awk '$1 < 0.98 { bad = 1 } END { exit bad }' "$work/doses"
}
for log in "$work"/dose-*.log; do
    [ -f "$log" ] && claim "$(basename "$log" .log): R squared of every kernel is at least 0.98" linear "$log"
done

finish
