#!/bin/sh
# An ordinary run of the unmodified image, judged from outside: exact, the same twice, as the rig's truth has it.
# TAP on standard output.
#   end_to_end.sh BUILD
# Skylake on two cores, and a part of the kernels on Ice Lake, twice; with TREE=all on four, and all of it twice.
set -u
. tests/boot.sh

# exact CORE LOG: the self-check states 25 events (5 in each of five kernels that do something); none is skipped,
# none fails.
exact() {
    lines=$(grep -E "^(not )?ok [0-9]+ - core $1 cal\.(branches|instructions|loads|mixed|stores) [A-Z_]+\." "$2")
    echo "$lines"
    [ "$(echo "$lines" | grep -cE '^ok .* ([0-9]+) in \[\1, \1\]$')" -ge 25 ] &&
        ! echo "$lines" | grep -qE '^not ok|# SKIP'
}
# few NAME: an empty kernel is one RET; what else its windows counted is the harness's, at most 8 instructions.
few() {
    counted=$(records "$1" 'select(.type == "counts" and .kernel == "cal.empty") |
        .events["INST_RETIRED.ANY"].max | values' | sort -n | tail -1)
    echo "counted ${counted:-nothing}"
    [ -n "$counted" ] && [ $((counted - 1)) -le 8 ]
}

cores=2 twice='kernels=cal.*,fe.icache,bs.coinflip,be.mem.l2,ret.alu'
[ "${TREE-}" != all ] || cores=4 twice=
for cpu in skylakex icelakex; do
    arguments=
    [ $cpu = skylakex ] || arguments=$twice
    boot "$cpu" --cpu "$cpu" --cores "$cores" --args "$arguments"
    in_order "$cpu"
    no_failure "$cpu"
    no_error "$cpu"
    claim "$cpu: prove accepts the log" proves "$work/$cpu.log"
    claim "$cpu: the stick has the same log as the serial line" \
        same "$work/$cpu.log" "$work/$cpu.esp/slotscope/slotscope.log"
    for core in $(seq 0 $((cores - 1))); do
        claim "$cpu: core $core counted exactly, every event of the self-check" exact "$core" "$work/$cpu.log"
    done
    claim "$cpu: at most 8 instructions in a window are not the kernel's" few "$cpu"
    adopt "$build/tools/check_truth" "$work/$cpu.log" "$work/$cpu.truth"
done

# The same command on the same stick, without the log of the first run, which the second one would keep.
mv "$work/icelakex.esp" "$work/again.esp"
rm "$work/again.esp"/slotscope/slotscope.*log
boot again --cpu icelakex --cores "$cores" --args "$twice"
in_order again
claim "two runs of the same command give the same bytes" same "$work/icelakex.serial" "$work/again.serial"
claim "and the same truth" same "$work/icelakex.truth" "$work/again.truth"
finish
