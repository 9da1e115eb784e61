#!/bin/sh
# Events that a user names: counted for every kernel, to the unit of the rig's truth; what a core does not know is
# missing with the reason, what no core knows is refused with its place. TAP on standard output.
#   events.sh BUILD
set -u
. tests/boot.sh
. tests/rig/tree/share.sh

# agrees NAME: totals of counts records, those of raw selectors included, are the truth's (check_truth.c lists them).
agrees() {
    "$build/tools/check_truth" "$work/$1.log" "$work/$1.truth" >"$work/$1.check"
    grep '^ok .* raw totals of .* equal the truth' "$work/$1.check"
}
# counted NAME CORE EVENT: some are counted in cal.mixed, and each kernel has totals for n and for 2n iterations.
counted() {
    has "$1" ".type == \"kernel\" and .core == $2 and .kernel == \"cal.mixed\" and .per_iterations[\"$3\"].median > 0" &&
        records "$1" "select(.type == \"kernel\" and .core == $2) | (.kernel, .kernel)" | sort >"$work/wanted" &&
        records "$1" "select(.type == \"counts\" and .core == $2 and .events[\"$3\"] != null) | .kernel" |
        sort >"$work/found" && grep -c cal.mixed "$work/wanted" && same "$work/wanted" "$work/found"
}
# missing NAME CORE EVENT REASON
missing() { has "$1" ".type == \"kernel\" and .core == $2 and (.missing[\"$3\"] // \"\" | test(\"$4\"))"; }
# counts_exactly NAME CORE EVENT...: the log agrees with the truth, and has these events.
counts_exactly() {
    name=$1 core=$2
    shift 2
    in_order "$name"
    no_failure "$name"
    no_error "$name"
    claim "$name: totals equal the truth" agrees "$name"
    for event; do claim "$name: core $core counts $event, for every kernel" counted "$name" "$core" "$event"; done
}

configured selectors 'kernels = cal.mixed\nevents = 0xC000,BR_INST_RETIRED.NEAR_TAKEN,0xc420, 0xB701, 0xC000:k,0xC000:u\n' \
    --cpu skylakex --cores 1
counts_exactly selectors 0 0xC000 BR_INST_RETIRED.NEAR_TAKEN 0xc420
both_rings() {
    has selectors '.kernel == "cal.mixed" and .per_iterations["0xC000:k"].median == .per_iterations["0xC000"].median and
        .per_iterations["0xC000:u"].median == 0'
}
claim "selectors: kernels run in ring 0, so :k counts all and :u nothing" both_rings
claim "selectors: and that is said" grep '^# 0xC000:u: rings 1 to 3 alone are counted' "$work/selectors.log"
claim "selectors: an event that needs another register is missing" missing selectors 0 0xB701 'another register'

# An instr_retired of ring 0 alone, by name and by register values: event select 2, masks 0 and 1, T0_OS.
ring0=instr_retired:NBOGUSNTAG:NBOGUSTAG:k taken=branch_retired:MMTP:MMTM registers=0x00039000/0x04000608@0x8000000C
configured netburst "kernels = cal.mixed\nevents = $ring0, $taken, $registers\n" --cpu prescott --cores 1
counts_exactly netburst 0 $ring0 $taken $registers

# Both logical processors of a core: each has its half of the registers.
configured halves "kernels = cal.mixed\nevents = $ring0, $registers, 0x00039000/0x04000603@14\n" \
    --cpu prescott --cores 1 --smt
counts_exactly halves 0 $ring0 $registers
claim "halves: core 1 counts by its own counter" counted halves 1 0x00039000/0x04000603@14
claim "halves: core 1 counts the name" counted halves 1 $ring0
claim "halves: the counter of core 1 is missing on core 0" missing halves 0 0x00039000/0x04000603@14 'other logical'
claim "halves: and the other way round" missing halves 1 $registers 'other logical'

# P cores and E cores: an event of one kind is missing on the other.
configured hybrid 'kernels = cal.mixed\nevents = 0xC000, TOPDOWN_BE_BOUND.ALL\ncores = 0, 2\n' --cpu alderlake --cores 3
counts_exactly hybrid 2 0xC000
claim "hybrid: P cores do not know the event of E cores" missing hybrid 0 TOPDOWN_BE_BOUND.ALL 'alderlake.def has no'
claim "hybrid: E cores do" has_no hybrid '.core == 2 and .missing["TOPDOWN_BE_BOUND.ALL"] != null'

configured drill 'kernels = be.mem.l2\nlevels = auto\nevents = 0xD102\n' --cpu skylakex --cores 1
claim "drill: the raw selector counts what MEM_LOAD_RETIRED.L2_HIT does" \
    has drill '.kernel == "be.mem.l2" and .per_iterations["0xD102"].median == 2000'
no_error drill

# refused NAME CPU EVENTS PLACE MESSAGE EXPECTED: nothing is measured, and the error says all that.
refused() {
    configured "$1" "kernels = cal.mixed\nevents = $3\n" --cpu "$2" --cores 1
    in_order "$1"
    claim "$1: an error at $4 says $5 and expects $6" has "$1" \
        ".type == \"error\" and .where == \"slotscope.cfg:$4\" and (.what | test(\"$5\")) and (.expected | test(\"$6\"))"
    nothing_measured "$1"
}
refused unknown skylakex 'INST_RETIRED.ANY,MEM_LOAD_RETIRED.L1_MIS' 2:27 'skylakex has no event' 'MEM_LOAD_RETIRED.L1_MISS'
refused short skylakex '0xC0' 2:10 'not a raw selector' '0xEEUU'
refused modifier skylakex '0xC000:cmask=256' 2:16 'not a modifier' ':cmask=N'
refused foreign skylakex "$registers" 2:10 'no CCCR' '0xEEUU'
refused mask prescott 'instr_retired:NBOGUS' 2:24 'no mask' 'NBOGUSNTAG'
refused counter prescott '0x39000/0x4000204@4' 2:28 'MSR_MS_CCCR0' '12, 13'
refused seventeen skylakex "$(seq -s , -f '0xC0%02g' 10 26)" 2:122 'too many events' 'up to 16'

# Register values of NetBurst as perfex takes them, and events of the bus. What is to be counted follows from the lines
# that a kernel touches: each load of be.mem.bandwidth one line, each iteration of be.mem.store sixteen, which leave the
# second level again, and of be.mem.streaming sixteen that are written around the caches. Kernels run in ring 0, so the
# values of the ESCRs select it.
cat >"$work/perfex.cfg" <<'END'
kernels = be.mem.bandwidth, be.mem.store, be.mem.streaming
levels = 2
explain = tma_retiring
repeats = 1
warmup = 1
END
# count PART KERNEL EVENT LEAST MOST
count() {
    has "perfex-$1" ".type == \"kernel\" and .kernel == \"$2\" and
        (.per_iterations[\"$3\"].median | . >= $4 and . <= $5)"
}
both='0x0003D000/0x0600C20A@0x80000000'
reads=IOQ_allocation:REQ_TYPE0:ALL_READ:MEM_WB:OWN:e
missed='0x0003B000/0x1200020C@0x8000000C --p4pe=0x01000001 --p4pmv=0x1'
echo "events = $both, 0x0003D000/0x0600C205@0x80000000, $reads, $missed" >>"$work/perfex.cfg"
for part in prescott prestonia; do
    stick perfex-$part
    cp "$work/perfex.cfg" "$work/perfex-$part.esp/slotscope/slotscope.cfg"
    boot perfex-$part --cpu $part --cores 1
    in_order perfex-$part
    no_failure perfex-$part
    no_error perfex-$part
    claim "$part: a line is read for each load of be.mem.bandwidth" count $part be.mem.bandwidth "$reads" 1200 1205
    claim "$part: and misses the first level" count $part be.mem.bandwidth "$missed" 1200 1205
    claim "$part: be.mem.store reads the lines that it writes" count $part be.mem.store "$reads" 1200 1205
    claim "$part: be.mem.streaming reads none" count $part be.mem.streaming "$reads" 0 5
    claim "$part: and writes them" count $part be.mem.streaming "$both" 800 805
    claim "$part: explain names CCCR, ESCR and counter" \
        grep '^# .* MSR_IQ_CCCR0 = 0x39000, MSR_CRU_ESCR0 = 0x200020c, MSR_IQ_COUNTER0: ' "$work/perfex-$part.log"
    claim "$part: a bit of a second logical processor is left out, and that is said" \
        grep '^# 0x0003D000/0x0600C205@0x80000000: bits 0x1 of MSR_FSB_ESCR0 are those of a second' "$work/perfex-$part.log"
    claim "$part: kernels have no ring 3, and that is said" \
        grep '^# 0x0003D000/0x0600C205@0x80000000: rings 1 to 3 alone are counted, and kernels run' "$work/perfex-$part.log"
    claim "$part: levels = 2 is level 1, and that is said" \
        grep '^# levels = 2: [a-z]* has level 1 alone' "$work/perfex-$part.log"
done
# 512 KiB hold none of the lines of the windows before: each line that is read drives a modified one out.
claim "prestonia: be.mem.store writes as many lines back as it reads" count prestonia be.mem.store "$both" 2400 2410
finish
