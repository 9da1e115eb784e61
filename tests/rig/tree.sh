#!/bin/sh
# The whole published Topdown tree on the virtual rig, on personalities that have one. TAP on standard output.
#   tree.sh BUILD
# Of the kernels that name a leaf of the tree five of every 21 run, each on one of five personalities; with
# TREE=all each runs on each of seven (some minutes each). Core 0 is measured, and core 1 helps kernels that need
# two; on one personality both are measured. tree/known lists the verdicts that are known to fail. One window a pass is
# enough, since the truth is of the same windows; with TREE=all there are as many as in an ordinary run. So there are on
# Ivy Bridge, where the windows of a node's passes are less alike.
set -u
. tests/boot.sh
. tests/rig/tree/share.sh

# unknown_failures CPU: verdicts that failed and are not listed.
unknown_failures() {
    grep '^not ok' "$work/$1.log" >"$work/$1.failed"
    awk -F '\t' -v cpu="$1" '!/^#/ && $1 == cpu { print $2 }' tests/rig/tree/known >"$work/$1.known"
    ! if [ -s "$work/$1.known" ]; then grep -vEf "$work/$1.known" "$work/$1.failed"; else grep . "$work/$1.failed"; fi
}

parts="skylakex:0 haswell:2 ivybridge:3 sapphirerapids:4 alderlake:6"
[ "${TREE-}" != all ] || parts="$parts icelakex:1 graniterapids:5"
for part in $parts; do
    cpu=${part%:*}
    kernels=$(share "${part#*:}" 21 '^[^m]' 'be.*, bs.*, fe.*, ret.*')
    cores=0 # alderlake's core 1 is an E core, whose lower nodes mean something else
    [ "$cpu-${TREE-}" != haswell- ] || cores=all
    windows='repeats = 1'
    case $cpu-${TREE-} in ivybridge-* | alderlake-* | *-all) windows= ;; esac # a window alone is off by bytes
    configured $cpu "levels = 6\n$windows\ncores = $cores\nkernels = ${kernels:-be.mem.l2}\n" --cpu $cpu --cores 2
    in_order $cpu
    claim "$cpu: levels = 6, $(grep -c '^ok' "$work/$cpu.log") verdicts hold, the others are known to fail" \
        unknown_failures $cpu
    judged "$cpu: the tree against the truth" "$build/tools/check_truth" "$work/$cpu.log" "$work/$cpu.truth"
done

# The E cores' level 3: their events count each lost slot once, so the children of a node add up to the node. They
# are counted in several passes, whose windows are alike in these kernels as far as the record's ranges say.
configured small "levels = 3\nrepeats = 3\ncores = 1\nkernels = fe.ms.switches, fe.icache, fe.icache.l3, fe.lcp, bs.smc, be.core.chain, be.core.pause, be.mem.l2, be.mem.dram\n" \
    --cpu alderlake --cores 2
nodes() { sed -n '/^{"type":"topdown"/p' "$work/small.log" | jq -c 'select(.kernel | startswith("cal.") | not) | {kernel, nodes, ranges: (.ranges // {})}'; }
# apart: the nodes of a kernel that their children miss by 0.01 or more, each within its range over the repeats; a range
# is at most 0.03 wide.
apart() {
    nodes | jq -r '
        { tma_frontend_bound: ["tma_ifetch_latency", "tma_ifetch_bandwidth"],
          tma_ifetch_latency: ["tma_icache_misses", "tma_itlb_misses", "tma_branch_detect", "tma_branch_resteer"],
          tma_ifetch_bandwidth: ["tma_cisc", "tma_decode", "tma_predecode", "tma_other_fb"],
          tma_machine_clears: ["tma_nuke", "tma_fast_nuke"],
          tma_resource_bound: ["tma_mem_scheduler", "tma_non_mem_scheduler", "tma_register", "tma_reorder_buffer",
              "tma_serialization"] } as $children
        | . as $of
        | def range_of: $of.ranges[.] // [$of.nodes[.], $of.nodes[.]] | select(.[1] - .[0] <= 0.03) // [2, -2];
        $children | to_entries[] | (.key | range_of) as $node | [.value[] | range_of] as $below
        | ([$below[][0]] | add) as $least | ([$below[][1]] | add) as $most
        | select($node[1] - $least <= -0.01 or $node[0] - $most >= 0.01)
        | "\($of.kernel) \(.key) \($node) \($below)"'
}
# has KERNEL NODE LEAST: in that kernel the node has so much.
has() {
    nodes | jq -es --arg kernel "$1" --arg node "$2" --argjson least "$3" \
        'map(select(.kernel == $kernel and .nodes[$node] >= $least)) | length == 1'
}
adds_up() { cat "$work/small.err" && [ ! -s "$work/small.err" ] && [ "$(nodes | wc -l)" -eq 9 ] && apart >"$work/apart" && cat "$work/apart" && [ ! -s "$work/apart" ]; }
claim "alderlake's E core: what is counted below a node adds up to it" adds_up
claim "and is the sequencer's, the cache's, the BTB's, modified code's, the schedulers' and the re-order buffer's where the kernel says so" \
    eval 'has fe.ms.switches tma_cisc 0.3 && has fe.icache tma_icache_misses 0.9 && has fe.icache.l3 tma_branch_detect 0.05 &&
    has be.core.pause tma_serialization 0.9 && has bs.smc tma_nuke 0.2 && has be.core.chain tma_non_mem_scheduler 0.9 && has be.mem.l2 tma_mem_scheduler 0.9 && has be.mem.dram tma_reorder_buffer 0.9'
finish
