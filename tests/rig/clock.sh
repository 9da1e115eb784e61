#!/bin/sh
# A clock that rises for half a millisecond after each halt and changes by steps of 100 MHz after 1 to 5 ms: no verdict
# fails, none is lost. So with SMIs, with ends of loops that chance predicts, and with a slow clock. TAP on standard
# output.
#   clock.sh BUILD
# The seed of chance is 1, there are five kernels, with long windows for the clock to change in; with TREE=all the
# seeds are 1 to 100, and the kernels those of an ordinary run.
set -u
. tests/boot.sh
last=1 ends="ret.alu,ret.nop,ret.x87,be.core.port,be.core.port0,be.core.ports3"
some="kernels=be.core.chain,be.mem.l2,be.mem.dram,bs.coinflip,ret.nop" long=scale=3
[ "${TREE:-}" = all ] && last=100 ends="ret.*,be.core.port*" some= long=

# judged NAME: what is judged: core, kernel and the first word of the claim.
judged() { grep -a -E '^(not )?ok ' "$work/$1.log" | grep -v '# SKIP' | awk '{ print $5, $6, $7 }' | sort; }
# All that is judged without the fault; where a window was run again, the one before it is another one than in the other
# repeats, and a kernel that notices has windows that lie apart, or counts otherwise when it is measured again: then the
# SKIP says so.
same_verdicts() {
    judged "$1" >"$work/judged"
    grep -aE '# SKIP .* not measured: (of most of its repeats a window lies apart|it counted otherwise when it was measured again)$' \
        "$work/$1.log" | awk '{ print $5, $6, $7 }' |
        sort - "$work/judged" >"$work/accounted"
    judged sound | comm -23 - "$work/accounted" >"$work/lost" && judged sound | comm -13 - "$work/judged" >"$work/new" &&
        cat "$work/lost" "$work/new" && [ ! -s "$work/lost" ] && [ ! -s "$work/new" ]
}
discards() { records "$1" "select(.type == \"guard\") | .discarded.$2 // 0" | awk '{ n += $1 } END { print n + 0 }'; }
seen=0
check() { # NAME GUARD
    in_order "$1"
    no_failure "$1"
    seen=$((seen + $(discards "$1" "$2")))
    claim "$1: all that is judged without it is judged, or windows of it are doubted" same_verdicts "$1"
}

boot sound --cpu skylakex --cores 2 --args "cores=1 $some"
in_order sound
seed=0
while [ "$seed" -lt "$last" ]; do
    seed=$((seed + 1))
    boot clock-$seed --cpu skylakex --cores 2 --args "cores=1 $some $long" --fault clock:$seed
    check clock-$seed frequency
done
# The changes are some ms apart, and a window takes a few us, so not every seed hits one.
claim "clock: the guards saw changes within windows of some seed" [ $seen -gt 0 ]
# One window of each number: nothing hides windows in which the core waits for the licence of 512 bits. An iteration is
# 97 slots, four a cycle; a core that waits takes up to four times as long.
windows_of() { # CONDITION on the cycles of 200 iterations
    echo ".type == \"counts\" and .kernel == \"ret.fp.512.double\" and .iterations == 200 and
        (.events[\"CPU_CLK_UNHALTED.THREAD\"] | values | $1)"
}
for seed in $(seq 1 $last); do
    boot licence-$seed --cpu skylakex --cores 2 --args 'cores=1 kernels=ret.fp.512.double levels=1 repeats=1' --fault clock:"$seed"
    in_order licence-$seed
    no_failure licence-$seed
    claim "licence-$seed: 200 iterations take 4850 cycles and what the edges of a window do, in each window" \
        has_no licence-$seed "$(windows_of '.max > 5100')"
    claim "licence-$seed: these windows were counted" has licence-$seed "$(windows_of '.min >= 4850')"
done
# Cores that run at less than half of their clock: L3 and memory take as many ns as before.
boot slow --cpu skylakex --cores 2 --args 'cores=0 kernels=be.mem.l3,be.mem.dram' --fault slow:1200
in_order slow
no_failure slow
slower() { records slow 'select(.type == "cpi" and .kernel == "be.mem.dram").cycles_per_iteration' | awk '{ exit !($1 < 240 * 0.6) }'; }
claim "slow: memory takes fewer cycles than at 2700 MHz" slower
# At clocks from the lowest of a Xeon to twice the usual one: what the core does takes the same cycles, what is beyond L2
# the same time. Memory of 90 ns is too short for the chains of mix.mem.dram where it takes fewer than 193 cycles.
# One window a pass is enough, since every window at that clock is as long; with TREE=all there are as many as in an
# ordinary run. The tree down to level 4 is judged at the clock that is furthest from the usual one, on one part; with
# TREE=all on each part and at each clock, and with two parts more at the lowest.
windows=repeats=1 lowest=icelakex:800
[ "${TREE:-}" != all ] || windows='' lowest='skylakex:800 icelakex:800 sapphirerapids:800'
# Doses take the longest and are judged at the other two clocks, of which one has the other kernels, too.
kernels=be.mem.l2_latency,be.mem.l3,be.mem.l3_latency,be.mem.split_loads,fe.icache.l3,fe.icache.mem
for at in $lowest skylakex:1200 skylakex:5400; do
    cpu=${at%:*} mhz=${at#*:}
    levels=2
    [ "$at" = icelakex:800 ] || [ "${TREE:-}" = all ] && levels=4
    case $at-${TREE:-} in
    *:800-) of=$kernels ;;
    *:1200-) of=be.mem.l3,mix.mem.dram ;;
    *) of=$kernels,mix.mem.dram ;;
    esac
    boot at-$cpu-$mhz --cpu $cpu --cores 2 --fault slow:$mhz --args "cores=0 levels=$levels kernels=$of $windows"
    in_order at-$cpu-$mhz
    claim "at-$cpu-$mhz: no verdict failed but on shares of two formulas that count each event's whole latency" \
        only_no_share at-$cpu-$mhz 'be\.mem\.l3_latency|be\.mem\.split_loads'
    claim "at-$cpu-$mhz: cycles of L3 are judged" grep -E '^ok .* be\.mem\.l3 CPU_CLK_UNHALTED\.THREAD [0-9.]+ in' "$work/at-$cpu-$mhz.log"
done
straight() { grep -E "^ok .* mix\.mem\.dram tma_memory_bound answers to the dose$2\$" "$work/at-skylakex-$1.log"; }
claim "at 1200 MHz the doses of memory make no straight line, and the SKIP says why" \
    straight 1200 ' # SKIP the last dose takes [0-9]+ cycles, and 3860 to 10380 make a straight line'
claim "at 5400 MHz they do" straight 5400 ': slope [0-9.]+, intercept .*'
seen=0
for seed in $(seq 1 $last); do
    boot smi-$seed --cpu skylakex --cores 2 --args "cores=1 $some" --fault smi:1:"$seed"
    check smi-$seed smi
done
claim "smi: the guards saw SMIs" [ $seen -gt 0 ]
# The end of a kernel's loop costs 15 to 31 cycles where it is mispredicted, in one window and not in the next.
for seed in $(seq 1 $last); do
    boot exits-$seed --cpu skylakex --cores 1 --args "kernels=$ends" --fault exits:"$seed"
    in_order exits-$seed
    no_failure exits-$seed
done
# Golden Cove has more in flight, so that a mispredicted end costs more.
boot exits-wide --cpu sapphirerapids --cores 1 --args 'kernels=be.core.port*,be.core.chain,be.mem.l1 levels=1' --fault exits:2
in_order exits-wide
no_failure exits-wide
ends_vary() {
    has exits-1 '.type == "counts" and (.kernel | startswith("ret.")) and
        (.events["BR_MISP_RETIRED.ALL_BRANCHES"] | values | .max > .min)'
}
claim "exits: windows of some kernels differ by mispredicted ends" ends_vary
finish
