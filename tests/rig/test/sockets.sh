#!/bin/sh
# Machines with several packages: where each core is, who its partner is, and whose memory it works on. TAP on standard
# output.
#   sockets.sh BUILD
set -u
. tests/boot.sh

# places NAME: "CORE PACKAGE NODE" of each core.
places() { records "$1" 'select(.type == "core") | "\(.core) \(.package) \(.node)"' | paste -sd,; }
# machine NAME PLACES OPTION...: the default run's kernels that need two cores.
machine() {
    name=$1 places_wanted=$2
    shift 2
    boot "$name" --cpu skylakex "$@"
    in_order "$name"
    no_error "$name"
    no_failure "$name"
    claim "$name: package and node of each core" [ "$(places "$name")" = "$places_wanted" ]
}

machine one "0 0 null,1 0 null" --cores 2 --args "kernels=be.mem.contested cores=all log=none"
machine two "0 0 0,1 0 0,2 1 1,3 1 1" --cores 4 --sockets 2 --args "kernels=be.mem.contested cores=all log=none"
claim "two: each core has a partner in its own package" absent 'is in another package' "$work/two.log"
machine far "0 0 0,2 1 1" --cores 4 --sockets 2 --args "kernels=be.mem.contested cores=0,2 log=none"
claim "far: a partner in another package is named" \
    [ "$(grep -c '^# core [02] be\.mem\.contested[a-z_.]*: its partner, core [02], is in another package$' "$work/far.log")" -ge 2 ]
machine threads "0 0 0,1 0 0,2 0 0,3 0 0,4 1 1,5 1 1,6 1 1,7 1 1" --cores 4 --sockets 2 --smt \
    --args "kernels=cal.instructions cores=all log=none"

# Two packages of 16 cores each, whose memory takes twice as long from the other package.
memory_on() { records "$1" 'select(.type == "kernel" and .arena > 0) | "\(.core) \(.arena_node)"' | sort -u | paste -sd,; }
node_of() { records "$1" "select(.type == \"topdown\" and .core == $2 and .kernel == \"be.mem.dram_latency\") | .nodes.$3 // empty"; }
chase="kernels=be.mem.dram_latency,be.mem.lock_miss nodes=tma_local_mem,tma_remote_mem cores=0,16 log=none"
boot near --cpu skylakex --cores 32 --sockets 2 --args "$chase"
boot away --cpu skylakex --cores 32 --sockets 2 --args "$chase node=remote"
boot one_node --cpu skylakex --cores 2 --args "kernels=be.mem.l2 cores=0 log=none node=remote"
for name in near away one_node; do
    in_order "$name"
    no_error "$name"
done
no_failure near
claim "near: each core works on its own node's memory" [ "$(memory_on near)" = "0 0,16 1" ]
claim "near: and no verdict is skipped" absent '# SKIP' "$work/near.log"
no_failure away
claim "away: each core works on the other node's memory, and the log says so" \
    [ "$(memory_on away) $(grep -c '^# kernels on cores of node [01] work on memory of node [01]$' "$work/away.log")" = "0 1,16 0 2" ]
claim "away: verdicts that rest on near memory's latency are skipped, and no others" \
    [ "$(grep -c '# SKIP memory_latency has no value here' "$work/away.log") $(grep -c '# SKIP' "$work/away.log")" = "4 4" ]
for core in 0 16; do
    claim "core $core waits for its own node's memory near, and for the other node's away" awk -v "near=$(node_of near $core tma_remote_mem)" \
        -v "away=$(node_of away $core tma_remote_mem)" -v "local=$(node_of away $core tma_local_mem)" \
        'BEGIN { print near, away, local; exit !(near == 0 && away > 0.3 && local == 0) }'
done
claim "one_node: without another node kernels with memory are skipped, and say why" \
    [ "$(grep -c 'be.mem.l2 .*# SKIP no other node is known to have memory' "$work/one_node.log")" -ge 3 ]

# Node 1 has 17 MiB, and two pieces of this kernel's arena take 20.
boot no_room --cpu skylakex --cores 4 --sockets 2 --memory 34 \
    --args "kernels=be.mem.bandwidth nodes=none cores=0,1 parallel=yes node=remote log=none"
in_order no_room
claim "no_room: remote memory has no substitute: kernels without room there are skipped, and say so" \
    [ "$(grep -c '^ok .* core [01] be.mem.bandwidth .*# SKIP no memory for an arena of' "$work/no_room.log")" -ge 4 ]
claim "no_room: the log names the node" grep '^# node 1 has no .* bytes for an arena' "$work/no_room.log"
claim "no_room: and no kernel works on near memory" has_no no_room '.type == "kernel" and .arena_node == 0'

claim "a distance without packages is refused" refuses --cpu skylakex --cores 2 --remote 300
claim "a package of three cores is refused" refuses --cpu skylakex --cores 6 --sockets 2
claim "and cores that cannot be shared out" refuses --cpu skylakex --cores 5 --sockets 2
finish
