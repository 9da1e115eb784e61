#!/bin/sh
# Machines with several packages: where each core is, who its partner is, and whose memory it works on; with TREE=all
# lines of another package on a third processor, and the whole default run on both packages of two. TAP on standard
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

# partners NAME: "CORE KERNEL PARTNER PACKAGE" of each kernel that had a partner.
partners() {
    records "$1" 'select(.type == "kernel" and .part == 1 and .partner != null) |
        "\(.core) \(.kernel) \(.partner) \(.partner_package)"' | paste -sd,
}
skips() { grep -c "^ok .* - core [0-9]* $2[: ].*# SKIP $3\$" "$work/$1.log"; }

machine one "0 0 null,1 0 null" --cores 2 \
    --args "kernels=be.mem.contested,be.mem.contested.remote,be.mem.shared.remote nodes=none cores=all log=none detail=brief repeats=1 warmup=1"
claim "one: a kernel whose partner is in another package is one SKIP for each core" \
    [ "$(skips one be.mem.contested.remote 'it needs cores of two packages') $(skips one be.mem.shared.remote 'it needs cores of two packages')" = "2 2" ]
machine two "0 0 0,1 0 0,2 1 1,3 1 1" --cores 4 --sockets 2 --args "kernels=be.mem.contested nodes=none cores=all log=none repeats=1 warmup=1"
claim "two: each core has a partner in its own package" \
    [ "$(partners two)" = "0 be.mem.contested 1 0,1 be.mem.contested 0 0,2 be.mem.contested 3 1,3 be.mem.contested 2 1" ]
claim "two: so no partner in another package is named" absent 'is in another package' "$work/two.log"

# Lines that another package has. Each window of n iterations takes n lines, and each line the nanoseconds that TMA
# publishes as its cost (#Mem_Remote_HitM_Cost), at the personality's frequency.
remote_nodes=tma_contested_accesses,tma_data_sharing,tma_local_mem,tma_remote_mem,tma_remote_cache,tma_store_latency,tma_false_sharing
# counted NAME KERNEL EVENT: "LEAST MOST" of n iterations on each core.
counted() {
    records "$1" "select(.type == \"kernel\" and .kernel == \"$2\") | .per_iterations[\"$3\"] // empty |
        \"\(.min) \(.max)\"" | paste -sd,
}
# across CPU CYCLES RFO: cycles of 40 lines; the event of stores that another package had modified.
across() {
    boot "$1" --cpu "$1" --cores 4 --sockets 2 --args "kernels=be.mem.contested.remote,be.mem.shared.remote,be.mem.false_sharing.remote \
        nodes=$remote_nodes cores=0,2 repeats=3 warmup=1 log=none"
    in_order "$1"
    no_error "$1"
    claim "$1: no verdict failed but on a share of stores" only_no_share "$1" 'be\.mem\.false_sharing\.remote'
    claim "$1: each of 40 lines that were written comes from the other package's cache, modified" \
        [ "$(counted "$1" be.mem.contested.remote MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM)" = "40 40,40 40" ]
    # A difference of two windows; either may end a cycle later, when the last load and the loop's end retire apart. Two
    # of three repeats, since the first window of a pass may take a few cycles more.
    claim "$1: one after the other, in $2 cycles, or one more or less" sh -c "
        echo '$(records "$1" 'select(.type == "kernel" and .kernel == "be.mem.contested.remote") |
            .per_iterations["CPU_CLK_UNHALTED.THREAD"].median // empty' | paste -sd,)' | tr , '\n' |
            awk '\$1 < $2 - 1 || \$1 > $2 + 1 { bad = 1 } END { exit bad || NR != 2 }'"
    claim "$1: each of 40 lines that were only read comes from there unmodified" \
        [ "$(counted "$1" be.mem.shared.remote MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD)" = "40 40,40 40" ]
    claim "$1: each of 100 stores to lines that were written fetches its line from there" \
        [ "$(counted "$1" be.mem.false_sharing.remote "$3")" = "100 100,100 100" ]
    claim "$1: no load is a hit of L3, on which tma_contested_accesses and tma_data_sharing rest: they have no value" \
        [ "$(within "$1" | sort -u)" = "0 null null division by zero in #True_XSNP_HitM_Fraction" ]
    claim "$1: the node that contains loads of them is the largest of its siblings, and the verdicts say how large" \
        [ "$(grep -cE '^ok .* be.mem.(contested|shared).remote tma_remote_cache [0-9.]* (is the largest of its siblings|in .*)(; [0-9]+ of [0-9]+ have no value)?$' "$work/$1.log")" -eq 8 ]
    claim "$1: stores overlap, so that the cost of 100 lines is more than all slots: tma_false_sharing has no value, and why" \
        [ "$(overlapping "$1" "$2")" = "null 0.0,null 0.0" ]
    claim "$1: so the verdict on it fails, though it is the largest of its siblings" \
        [ "$(grep -c "^not ok .* be\.mem\.false_sharing\.remote tma_false_sharing [0-9.]*$no_share" "$work/$1.log")" -eq 2 ]
    claim "$1: and comments behind it have the formula and its numbers" \
        [ "$(grep -c '^#   tma_false_sharing = .*, where$' "$work/$1.log")" -eq 2 ]
}
# overlapping NAME CYCLES: of tma_false_sharing the value, and by how much the reason's number differs from the cost of
# 100 lines, of which 40 take that many cycles, over the cycles that were counted.
overlapping() {
    records "$1" '"be.mem.false_sharing.remote" as $k | select(.kernel == $k and (.type == "topdown" or .type == "cpi")) |
        if .type == "cpi" then "cycles \(.cycles_per_iteration * 100)" else "\(.nodes.tma_false_sharing) \(.reasons.tma_false_sharing)" end' |
        awk -v cost="$2" 'function distance(a, b) { return a < b ? b - a : a - b }
            /^cycles/ { printf "%s%s %.1f", comma, value, distance(gives, 100 * cost / 40 / $2); comma = "," }
            !/^cycles/ { value = $1; gives = $5; sub(",", "", gives) }'
}
# within NAME: the nodes of lines that the own package has, and why they have no value.
within() {
    records "$1" 'select(.type == "topdown" and (.kernel | endswith(".remote") and (contains("false") | not))) |
        [.nodes.tma_l3_bound, .nodes.tma_contested_accesses, .nodes.tma_data_sharing, .reasons.tma_contested_accesses] | map(tostring) | join(" ")'
}
across skylakex 11880 OFFCORE_RESPONSE.DEMAND_RFO.L3_MISS.REMOTE_HITM
[ "${TREE-}" != all ] || across icelakex 12480 OCR.DEMAND_RFO.L3_MISS:ocr_msr_val=0x103b800002
across sapphirerapids 17680 OCR.DEMAND_RFO.L3_MISS:ocr_msr_val=0x103b800002
claim "skylakex: the records name the partner and its package" \
    [ "$(partners skylakex | tr , '\n' | sort -u | paste -sd,)" = "0 be.mem.contested.remote 2 1,0 be.mem.false_sharing.remote 2 1,0 be.mem.shared.remote 2 1,2 be.mem.contested.remote 0 0,2 be.mem.false_sharing.remote 0 0,2 be.mem.shared.remote 0 0" ]
claim "skylakex: and so do lines for people" \
    [ "$(grep -c '^# core [02] be\.mem\.[a-z_]*\.remote: its partner, core [02], is in another package, [01]$' "$work/skylakex.log")" -eq 6 ]
# Core 0 and core 2 are of two packages.
machine apart "0 0 0,2 1 1" --cores 4 --sockets 2 --args "kernels=be.mem.contested,clears.ordering nodes=none cores=0,2 log=none detail=brief repeats=1 warmup=1"
claim "apart: a kernel whose partner has to be of the same package is one SKIP for each core" \
    [ "$(skips apart be.mem.contested 'it needs two cores of one package')" -eq 2 ]
claim "apart: a kernel that may have either has one of another package, and says so" \
    [ "$(grep -c '^# core [02] clears.ordering: its partner, core [02], is in another package, [01]$' "$work/apart.log")" -eq 2 ]
machine threads "0 0 0,1 0 0,2 0 0,3 0 0,4 1 1,5 1 1,6 1 1,7 1 1" --cores 4 --sockets 2 --smt \
    --args "kernels=cal.instructions cores=all log=none levels=1 repeats=1 warmup=0"

# Two packages of two cores each, whose memory takes twice as long from the other package.
memory_on() { records "$1" 'select(.type == "kernel" and .arena > 0) | "\(.core) \(.arena_node)"' | sort -u | paste -sd,; }
# node_of NAME CORE NODE: its value, or what its formula gives where that is no share.
node_of() {
    records "$1" "select(.type == \"topdown\" and .core == $2 and .kernel == \"be.mem.dram_latency\") |
        .nodes.$3 // (.reasons.$3 | strings | capture(\"gives (?<given>[0-9.]+),\").given)"
}
chase="kernels=be.mem.dram_latency,be.mem.lock_miss nodes=tma_mem_bandwidth,tma_local_mem,tma_remote_mem cores=0,2 log=none repeats=1 warmup=1"
boot near --cpu skylakex --cores 4 --sockets 2 --args "$chase"
boot away --cpu skylakex --cores 4 --sockets 2 --args "$chase node=remote"
boot one_node --cpu skylakex --cores 2 --args "kernels=be.mem.l2 cores=0 log=none node=remote repeats=1 warmup=0"
for name in near away one_node; do
    in_order "$name"
    no_error "$name"
done
no_failure near
claim "near: each core works on its own node's memory" [ "$(memory_on near)" = "0 0,2 1" ]
claim "near: and no verdict is skipped" absent '# SKIP' "$work/near.log"
no_failure away
claim "away: each core works on the other node's memory, and the log says so" \
    [ "$(memory_on away) $(grep -c '^# kernels on cores of node [01] work on memory of node [01]$' "$work/away.log")" = "0 1,2 0 2" ]
claim "away: verdicts that rest on near memory's latency are skipped, and no others" \
    [ "$(grep -c '# SKIP memory_latency has no value here' "$work/away.log") $(grep -c '# SKIP' "$work/away.log")" = "4 4" ]
for core in 0 2; do
    claim "core $core waits for its own node's memory near, and for the other node's away" awk -v "near=$(node_of near $core tma_remote_mem)" \
        -v "away=$(node_of away $core tma_remote_mem)" -v "local=$(node_of away $core tma_local_mem)" \
        'BEGIN { print near, away, local; exit !(near == 0 && away > 0.3 && local == 0) }'
done
claim "one_node: without another node kernels with memory are skipped, and say why" \
    [ "$(grep -c 'be.mem.l2 .*# SKIP no other node is known to have memory' "$work/one_node.log")" -ge 3 ]

# Node 1 has 17 MiB, and two pieces of this kernel's arena take 20.
boot no_room --cpu skylakex --cores 4 --sockets 2 --memory 34 \
    --args "kernels=be.mem.bandwidth nodes=none cores=0,1 parallel=yes node=remote log=none repeats=1 warmup=0"
in_order no_room
claim "no_room: remote memory has no substitute: kernels without room there are skipped, and say so" \
    [ "$(grep -c '^ok .* core [01] be.mem.bandwidth .*# SKIP no memory for an arena of' "$work/no_room.log")" -ge 4 ]
claim "no_room: the log names the node" grep '^# node 1 has no .* bytes for an arena' "$work/no_room.log"
claim "no_room: and no kernel works on near memory" has_no no_room '.type == "kernel" and .arena_node == 0'

# Tables that lie: the machine is that of the run named sound.
# lying NAME CORES LIE...: measures these cores of a machine whose tables have these lies.
lying() {
    name=$1 measured=$2 lied=
    shift 2
    for lie; do lied="$lied --lie $lie"; done
    boot "$name" --cpu skylakex --cores 4 --sockets 2 $lied \
        --args "kernels=be.mem.lock_miss nodes=none cores=$measured log=none repeats=1 warmup=0"
    in_order "$name"
    claim "$name: the run is complete" has "$name" '.type == "end" and .reason == "complete"'
}
# verdicts_on NAME CORE: each without its number and what was measured.
verdicts_on() { sed -nE "s/ -?[0-9.]+( in \[)/\1/; s/^((not )?ok) [0-9]+ - core $2 /\1 /p" "$work/$1.log"; }
# same_verdicts NAME CORE [LESS]: those of the run named sound; those that match LESS are left out. A bound that is a
# measured latency's is the same if it is within 1 %.
same_verdicts() {
    for run in sound "$1"; do verdicts_on "$run" "$2" | grep -vE "${3:-^\$}" >"$work/$run.verdicts"; done
    [ -s "$work/sound.verdicts" ] && awk '
        FNR == NR { sound[FNR] = $0; n = FNR; next }
        function bounds(line, to) { sub(/.* in \[/, "", line); sub(/\]$/, "", line); split(line, to, ", ") }
        function near(a, b) { return (a - b) ^ 2 <= (0.01 * a) ^ 2 }
        {
            lines++
            if ($0 == sound[FNR]) next
            bounds($0, of); bounds(sound[FNR], as)
            a = $0; b = sound[FNR]; sub(/ in \[.*/, "", a); sub(/ in \[.*/, "", b)
            if (a == b && of[1] >= 1000 && near(of[1], as[1]) && near(of[2], as[2])) next
            print "< " sound[FNR]; print "> " $0; bad = 1
        }
        END { exit bad || lines != n }' "$work/sound.verdicts" "$work/$1.verdicts"
}
comments() { claim "$1: the log says: $2" grep -qxF "# $2" "$work/$1.log"; }

lying sound 0,2
no_error sound
claim "sound: nothing is ignored" absent '^# (MADT|SRAT|SLIT)' "$work/sound.log"
lying listed 0 madt:twice madt:nobody srat:nobody slit:long
claim "listed: verdicts are those of the sound run" same_verdicts listed 0
claim "listed: the processor that nobody is gets a record, alone" [ "$(records listed 'select(.type == "error") | "\(.what), \(.where)"')" = \
    "no answer within 1 s of its second start, core 1, APIC id 4" ]
claim "listed: each processor is started once" has listed '.type == "machine" and .cores_found == 5 and .cores_started == 4'
comments listed "MADT: 8 entries that name a processor again are ignored"
comments listed "SRAT: 2 processors that the MADT does not enable are ignored"
comments listed "SLIT: its highest node is 2, the SRAT's 1: distances of those between are ignored"
# Memory whose node is not the core's own is not near memory, wherever it is.
lying memoryless 2 srat:no-memory slit:short
no_error memoryless
claim "memoryless: verdicts are those of the sound run, except on near memory" same_verdicts memoryless 2 'lock_miss CPU_CLK'
claim "memoryless: which are skipped" grep -q 'lock_miss CPU_CLK_UNHALTED.THREAD # SKIP memory_latency has no value here$' "$work/memoryless.log"
comments memoryless "SLIT: its highest node is 0: distances of the SRAT's node 2 are unknown"
claim "memoryless: the log says that the node has none" grep -q '^# node 2 has no .*: it gets memory that may be another node.s$' "$work/memoryless.log"
lying cut 0 slit:cut
claim "cut: verdicts are those of the sound run" same_verdicts cut 0
claim "cut: the table is named, and nothing else is wrong" \
    [ "$(records cut 'select(.type == "error") | "\(.what), \(.where)"')" = "the table of distances is damaged, SLIT" ]

claim "a lie that is none is refused" refuses --cpu skylakex --cores 2 --lie madt:thrice
claim "a lie about nodes without packages is refused" refuses --cpu skylakex --cores 2 --lie slit:short
claim "a distance without packages is refused" refuses --cpu skylakex --cores 2 --remote 300
claim "a package of three cores is refused" refuses --cpu skylakex --cores 6 --sockets 2
claim "and cores that cannot be shared out" refuses --cpu skylakex --cores 5 --sockets 2

# Every verdict of the default run that holds on one package holds on both of two with 16 cores each, whose remote memory
# is twice as slow.
if [ "${TREE-}" = all ]; then
    # outcomes NAME CORE: each verdict of the core by its kernel and subject, without its figures.
    outcomes() {
        sed -nE "s/^(ok|not ok) [0-9]+ - core $2 ((cal|exact|be|bs|fe|ret|lbr|pebs|clears|assist)\.[^ ]+ .*)/\1 \2/p" "$work/$1.log" |
            sed -E 's/ -?[0-9]+(\.[0-9]+)?(\.\.[0-9.]+)?( in \[.*\])?//g' | sort
    }
    boot single --cpu skylakex --cores 2 --args "cores=0 log=none"
    boot double --cpu skylakex --cores 32 --sockets 2 --args "cores=0,16 log=none"
    in_order single
    in_order double
    no_failure double
    outcomes single 0 | grep '^ok' | grep -v '# SKIP' >"$work/single.0"
    for core in 0 16; do
        outcomes double $core >"$work/double.$core"
        claim "default run: each of $(wc -l <"$work/single.0") verdicts that hold on one package holds on core $core of two" sh -c \
            "[ \$(wc -l <'$work/single.0') -gt 200 ] && ! comm -23 '$work/single.0' '$work/double.$core' | grep ."
    done
fi
finish
