#!/bin/sh
# The ways to ask for less or other than the whole tree: each keeps its promise. TAP on standard output.
#   [TREE=all] ask.sh BUILD
set -u
. tests/boot.sh
. tests/rig/tree/share.sh

# ask NAME CONFIGURATION OPTION...
ask() {
    name=$1 text=$2
    shift 2
    configured "$name" "$text" --cpu skylakex "$@"
    in_order "$name"
}
some='be.mem.l2, bs.coinflip'

# Each pass has two counts records, of n and of 2n iterations.
passes() { records "$1" 'select(.type == "counts").seq' | wc -l; }
ask full "levels = 6\nrepeats = 1\nwarmup = 1\nkernels = $some\n" --cores 1
ask auto "levels = auto\nrepeats = 1\nwarmup = 1\nkernels = $some\n" --cores 1
few=$(passes auto) all=$(passes full)
claim "auto: $few counts records, at most a third of $all" [ $((few * 3)) -le "$all" ]
no_failure auto

# One pass and one repeat: a kernel must be what it says from its first windows on. Two chains in L3 on an L2 of 10 ways,
# of which a ring of 16384 pairs of lines keeps 16 for each set.
configured first 'levels = 1\nrepeats = 1\nkernels = be.mem.l3_latency\n' --cpu alderlake --cores 1
in_order first
claim "first: each of the 300 loads hits L3" grep -E '^ok .* be\.mem\.l3_latency MEM_LOAD_RETIRED\.L3_HIT 300 in ' "$work/first.log"

# Three passes in rotation.
ask rotated 'nodes = tma_branch_mispredicts, tma_dram_bound\nkernels = bs.coinflip\nmultiplex = yes\n' --cores 1
# Where the clock changes, some estimates tell nothing; those that are said to be reliable are. be.mem.dram: so do slots,
# of which a cycle has several.
clocked() { # CPU SEED KERNELS
    boot "clock-$1" --cpu "$1" --cores 1 --fault "clock:$2" --args "multiplex=yes kernels=$3"
    claim "$1, the clock changes: what is marked reliable is within 5 %" absent '^not ok .* multiplexed' \
        "$work/clock-$1.log"
    claim "$1, the clock changes: something is marked reliable" \
        grep -E '^ok .* multiplexed .* reliable values within' "$work/clock-$1.log"
}
[ "${TREE-}" != all ] || clocked skylakex 5 be.mem.dram,fe.mite
clocked icelakex 1 be.mem.dram,ret.alu
judged "multiplexed: errors as the truth's windows have them" \
    "$build/tools/check_multiplex" "$work/rotated.log" "$work/rotated.truth"

# The second of two cores; its threads are 2 and 3.
ask sibling 'levels = 1\nrepeats = 1\nwarmup = 0\nkernels = ret.alu\nsibling = be.core.chain\ncores = 2-3\n' --cores 2 --smt
claim "sibling: records say what ran on the other thread" \
    has sibling '.type == "topdown" and .core == 2 and .beside == "be.core.chain"'
no_error sibling

ask intervals 'nodes = tma_l2_bound, tma_split_loads\nkernels = be.mem.l2, be.mem.split_loads\ninterval = 50us\nintervals = 5\n' --cores 1
claim "interval: a topdown record for the first" has intervals '.type == "topdown" and .interval == 0'
claim "interval: and for the last" has intervals '.type == "topdown" and .interval == 4'
# Each split load is charged its whole latency, though several are under way at once.
claim "interval: what is no share has no value, and the reason that it has in the record of windows" [ "$(records intervals \
    'select(.kernel == "be.mem.split_loads" and .type == "topdown") | [.nodes.tma_split_loads,
        (.reasons.tma_split_loads | test("^its formula gives 1\\.[0-9]+, outside of 0 to 1$"))] | @json' |
    sort | uniq -c | xargs)" = "6 [null,true]" ]
claim "interval: what is one has a value" has_no intervals '.kernel == "be.mem.l2" and .type == "topdown" and .nodes.tma_l2_bound == null'
claim "interval: what is no share does not drift" has_no intervals '.type == "drift" and .kernel == "be.mem.split_loads" and
    (.nodes | has("tma_split_loads"))'

ask explained 'repeats = 1\nkernels = be.mem.l2\nexplain = tma_memory_bound\n' --cores 1
claim "explain: the node has a value" has explained '.nodes.tma_memory_bound > 0'
no_error explained

ask forced 'levels = 2\nrepeats = 1\nkernels = be.mem.l2\ncpu = icelakex\n' --cores 1
claim "forced: there are records of the kernel" has forced '.core == 0 and .kernel == "be.mem.l2"'
# CPUID's answers are the core's, whatever description is forced on it.
claim "forced: every record of a forced core says so" \
    has_no forced 'has("core") and .type != "cpuid" and .forced != true'

# A window's time: the rig's own, by what is counted; --full, since the image measures it while nothing counts. The
# numbers of iterations are 1, 2, 5, 10 ... times those of the files, or as many as do not come round: at most 4096 of
# fe.icache.mem.
lasts() {
    records "$1" 'select(.type == "cpi" and .kernel != "cal.empty") |
        .iterations * .reference_cycles_per_iteration / 2100' >"$work/$1.us"
    sort -n "$work/$1.us" | sed -n '1s/^/# shortest: /p'
    [ "$(wc -l <"$work/$1.us")" -eq 34 ] && awk '$1 < 2 { exit 1 }' "$work/$1.us"
}
alike() {
    records "$1" 'select(.type == "cpi") | "\(.kernel) \(.dose) \(.iterations)"' | sort | uniq -c >"$work/$1.alike"
    awk '$1 != 2 { print; bad = 1 } END { exit bad || NR != 18 }' "$work/$1.alike"
}
# One window to warm up: what a cold one counts goes with where the image lies.
ask lasting 'kernels = fe.icache.mem, mix.core.port\nscale = 2us\nnodes = none\nrepeats = 1\nwarmup = 1\n' --cores 2 --full
no_failure lasting
claim "scale = 2us: each window takes as long, at every dose" lasts lasting
claim "scale = 2us: both cores take the same n" alike lasting

# Doses: what a knob turns, its node follows. A straight line through the shares has R squared of at least 0.98.
linear() { has "$1" '.type == "dose"' && has_no "$1" '.type == "dose" and .r_squared < 0.98'; }
n=0
for cpu in skylakex icelakex haswell sapphirerapids; do
    kernels=$(share $n 8 '^mix' 'mix.*')
    n=$((n + 1))
    [ -n "$kernels" ] || continue
    configured dose-$cpu "levels = 3\nrepeats = 1\nkernels = $kernels\n" --cpu $cpu --cores 1
    claim "doses on $cpu: R squared of every kernel is at least 0.98" linear dose-$cpu
done
finish
