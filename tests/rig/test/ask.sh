#!/bin/sh
# The ways to ask for less or other than the whole tree: each keeps its promise. TAP on standard output.
#   ask.sh BUILD
set -u
. tests/boot.sh
. tests/rig/test/tree/share.sh

# ask NAME CONFIGURATION OPTION...
ask() {
    name=$1 text=$2
    shift 2
    configured "$name" "$text" --cpu skylakex "$@"
    in_order "$name"
}
some='be.mem.l2, be.mem.dram, bs.coinflip, fe.icache'

# Each pass has two counts records, of n and of 2n iterations.
passes() { records "$1" 'select(.type == "counts").seq' | wc -l; }
ask full "levels = 6\nkernels = $some\n" --cores 1
ask auto "levels = auto\nkernels = $some\n" --cores 1
few=$(passes auto) all=$(passes full)
claim "auto: $few counts records, at most a third of $all" [ $((few * 3)) -le "$all" ]
no_failure auto

# Three passes in rotation.
ask rotated 'nodes = tma_branch_mispredicts, tma_dram_bound\nkernels = bs.coinflip\nmultiplex = yes\n' --cores 1
judged "multiplexed: errors as the truth's windows have them" \
    "$build/tools/check_multiplex" "$work/rotated.log" "$work/rotated.truth"

# The second of two cores; its threads are 2 and 3.
ask sibling 'levels = 2\nrepeats = 1\nkernels = ret.alu\nsibling = be.core.chain\ncores = 2-3\n' --cores 2 --smt
claim "sibling: records say what ran on the other thread" \
    has sibling '.type == "topdown" and .core == 2 and .beside == "be.core.chain"'
no_error sibling

ask intervals 'levels = 2\nkernels = be.mem.l2\ninterval = 200us\nintervals = 5\n' --cores 1
claim "interval: a topdown record for the first" has intervals '.type == "topdown" and .interval == 0'
claim "interval: and for the last" has intervals '.type == "topdown" and .interval == 4'

ask explained 'kernels = be.mem.l2\nexplain = tma_memory_bound\n' --cores 1
claim "explain: the node has a value" has explained '.nodes.tma_memory_bound > 0'
no_error explained

ask forced 'levels = 2\nkernels = be.mem.l2\ncpu = icelakex\n' --cores 1
claim "forced: there are records of the kernel" has forced '.core == 0 and .kernel == "be.mem.l2"'
claim "forced: every record of a forced core says so" has_no forced 'has("core") and .forced != true'

# Doses: what a knob turns, its node follows. A straight line through the shares has R squared of at least 0.98.
linear() { has "$1" '.type == "dose"' && has_no "$1" '.type == "dose" and .r_squared < 0.98'; }
n=0
for cpu in skylakex icelakex haswell sapphirerapids; do
    kernels=$(share $n 4 '^mix' 'mix.*')
    n=$((n + 1))
    [ -n "$kernels" ] || continue
    configured dose-$cpu "levels = 3\nkernels = $kernels\n" --cpu $cpu --cores 1
    claim "doses on $cpu: R squared of every kernel is at least 0.98" linear dose-$cpu
done
finish
