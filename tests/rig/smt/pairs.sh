#!/bin/sh
# Pairs of kernels on the two threads of a core: the verdicts on level 1 of each thread and of the core, against the
# truth of both threads. TAP on standard output.
#   pairs.sh BUILD
# SMT=all: all 64 pairs of the eight kernels, on both CPUs, and all nine duties of a sibling.
set -u
. tests/boot.sh
names='be.core.chain be.core.fpdiv be.core.port be.mem.l2 bs.coinflip bs.smc fe.icache ret.nop'
[ "${SMT-}" = all ] && all=yes || all=

pairs() { # NAME CPU KERNELS SIBLING MORE...
    name=$1 cpu=$2 arguments="kernels=$3 sibling=$4"
    shift 4
    boot "$name" --cpu "$cpu" --cores 1 --smt --args "$arguments levels=1 repeats=1 warmup=1 $*"
    in_order "$name"
    judged "$name: no verdict beside a loaded sibling contradicts the truth" \
        "$build/tools/check_beside" "$work/$name.log" "$work/$name.truth"
    claim "$name: each that fails says what the formula does wrong" explained "$name"
}
# explained NAME: no verdict fails but those with the reason behind the bounds.
explained() {
    grep '^not ok' "$work/$1.log" >"$work/failed"
    ! grep -vE ' (beside [a-z0-9.]+|both threads): tma_.* in \[.*\]: ' "$work/failed"
}
# complete NAME COUNT: so many verdicts on each node of level 1 of a thread, and half as many of the core. What a thread
# retires its kernel says, so most of these are judged; a SKIP is what counted otherwise when it was measured again.
complete() {
    for node in retiring frontend_bound bad_speculation backend_bound; do
        [ "$(grep -cE "^(not )?ok .* beside [a-z0-9.]+: tma_$node " "$work/$1.log")" -eq "$2" ] &&
            [ "$(grep -cE "^(not )?ok .* both threads: tma_$node " "$work/$1.log")" -eq $(($2 / 2)) ] || return 1
    done
    [ "$(grep -cE '^(not )?ok .* beside [a-z0-9.]+: tma_retiring -?[0-9.]+ in \[' "$work/$1.log")" -ge $(($2 * 3 / 4)) ]
}
# answers NAME DUTIES: on both threads the line through so many duties is straight.
answers() {
    has "$1" '.type == "duty"' &&
        [ "$(records "$1" "select(.type == \"duty\" and (.duties | length) == $2 and .r_squared >= 0.98).core")" = "$(printf '0\n1')" ] &&
        [ "$(grep -c '^ok .* cycles of the core answer to the duty: ' "$work/$1.log")" -eq 2 ]
}
says() { grep -E "^$2 [0-9]+ - core $3 $4" "$work/$1.log"; }

if [ -n "$all" ]; then
    for cpu in skylakex ivybridge; do
        for sibling in $names; do
            pairs "$cpu-$sibling" "$cpu" "$(echo "$names" | tr ' ' ,)" "$sibling"
            # On each core: eight kernels, and the sibling beside each.
            claim "$cpu-$sibling: each node has its verdicts" complete "$cpu-$sibling" 32
        done
    done
    duty=10-90 duties=9
else
    duty=30-70 duties=5
fi
# Of two kernels: the four verdicts on each of four trials of a thread, and on two of the core.
pairs ivybridge ivybridge be.core.chain bs.smc
claim "ivybridge: each node has its verdicts" complete ivybridge 4
claim "  a thread that mispredicts nothing is charged with its sibling's recoveries" says ivybridge 'not ok' 0 \
    'be\.core\.chain beside bs\.smc: tma_bad_speculation 0\.[0-9]+ in \[-0\.050, 0\.050\]: .* are half of the recoveries of bs\.smc, which INT_MISC\.RECOVERY_CYCLES_ANY / 2 charges to this thread'
claim "  what two threads lose to it together is not known" says ivybridge ok 0 \
    'be\.core\.chain both threads: tma_bad_speculation # SKIP what be\.core\.chain and bs\.smc lose to it together is not known'
pairs skylakex skylakex ret.nop fe.icache
claim "skylakex: each node has its verdicts" complete skylakex 4
claim "  what a thread waits for while the other one is served is not counted" says skylakex 'not ok' 1 \
    'fe\.icache beside ret\.nop: tma_frontend_bound .*: IDQ_UOPS_NOT_DELIVERED\.CORE does not count'
claim "  a thread that has more than half of the slots" says skylakex 'not ok' 0 \
    'ret\.nop beside fe\.icache: tma_retiring 1\..* in \[1\.0+, 1\.050*\]: the formula takes half'

boot halts --cpu skylakex --cores 1 --smt --args \
    "kernels=be.core.chain sibling=ret.nop sibling_duty=$duty nodes=none repeats=1 warmup=0"
in_order halts
claim "the cycles of the core follow the time that the sibling works" answers halts $duties
boot always --cpu skylakex --cores 1 --smt --args "kernels=ret.nop sibling=ret.nop sibling_duty=100"
claim "a duty of 100 %: the run is refused, and says why" has always \
    '.type == "error" and (tostring | test("the sibling would never halt"))'
nothing_measured always
finish
