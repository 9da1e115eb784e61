#!/bin/sh
# Kernels in ring 3: verdicts as in ring 0, counts of USR that are the kernel's own to the unit, counts of OS that are the
# same of every kernel; a privileged instruction; every register as it was found. TAP on standard output.
#   ring.sh BUILD
# With TREE=all every kernel of an ordinary run, on six processors.
set -u
. tests/boot.sh

# verdicts NAME: each verdict's outcome and subject, without numbers, of which nodes' differ in the third digit; and without
# the branch records of one ring, which are empty in the other one, and the oldest of a stack of four, where INT has a place.
verdicts() { grep -E '^(not )?ok ' "$work/$1.log" | grep -vE 'ring 0 alone|other rings alone|branch record 3 is' | sed -E 's/^((not )?ok) [0-9]+/\1/; s/ -?[0-9.]+ in \[.*//; s/[0-9]+\.[0-9]+//g; s/, [0-9]+ records, .*//; s/(SKIP division by) .*/\1/'; }
same_verdicts() {
    verdicts "$1" >"$work/$1.verdicts"
    verdicts "$2" >"$work/$2.verdicts"
    [ -s "$work/$1.verdicts" ] && diff "$work/$1.verdicts" "$work/$2.verdicts"
}
# counted NAME EVENT KERNEL PER-ITERATION MORE: all windows of the kernel count so much per iteration, and so much more.
counted() {
    records "$1" "select(.type == \"counts\" and .kernel == \"$3\" and .events[\"$2\"]) |
        [.iterations * $4 + $5, .events[\"$2\"].min, .events[\"$2\"].max] | @tsv" >"$work/counted"
    cat "$work/counted"
    [ "$(wc -l <"$work/counted")" -ge 2 ] && awk '$1 != $2 || $1 != $3 { bad = 1 } END { exit bad }' "$work/counted"
}
put_back() {
    claim "$1: the core has its registers back" grep -E '^# core 0: [1-9][0-9]* registers put back, 0 of them differ' "$work/$1.log"
    claim "$1: the processor is left as it was found" absent 'is left with' "$work/$1.err"
}
# sound NAME
sound() {
    in_order "$1"
    no_failure "$1"
    no_error "$1"
    put_back "$1"
}

for ring in 0 3; do
    boot ring-$ring --cpu skylakex --cores 1 --args "kernels=be.core.chain,bs.coinflip,be.mem.l2,lbr.sequence levels=1 ring=$ring"
    sound ring-$ring
    claim "ring-$ring: the machine record says so" has ring-$ring ".type == \"machine\" and .ring == $ring"
    judged "ring-$ring: counts and nodes against the rig's truth" "$build/tools/check_truth" "$work/ring-$ring.log" "$work/ring-$ring.truth"
done
claim "ring 3 has the verdicts of ring 0" same_verdicts ring-0 ring-3
ways=$(grep -E '^ok .* lbr\.sequence branch records, (ring 0|other rings) alone: ' "$work/ring-3.log" | sed 's/.*records, //' | paste -sd,)
claim "ring 3: branch records of ring 3 are the kernel's, and those of ring 0 none of it" [ "$ways" = \
    'ring 0 alone: none,other rings alone: all are known branches' ]

for ring in 0 3; do
    boot counts-$ring --cpu skylakex --cores 1 --args "kernels=be.core.chain,bs.coinflip nodes=none events=0xC000:u,0xC000:k ring=$ring"
done
sound counts-3
# In ring 3 CALL and INT are the harness's; of the kernel's own are 32 instructions an iteration, and its RET.
claim "cal.instructions: USR counts the kernel, CALL and INT" counted counts-3 INST_RETIRED.ANY cal.instructions 32 3
claim "cal.empty: USR counts RET, CALL and INT" counted counts-3 INST_RETIRED.ANY cal.empty 0 3
claim "cal.instructions: so does :u, on a general counter" counted counts-3 0xC000:u cal.instructions 32 3
# In ring 0 run IRETQ, three MOVs and the WRMSR that stops counting.
for kernel in cal.empty cal.instructions be.core.chain bs.coinflip; do
    claim "$kernel: :k counts the five instructions of the way in and out" counted counts-3 0xC000:k $kernel 0 5
done
claim "ring 0: :u counts nothing" counted counts-0 0xC000:u cal.instructions 0 0
claim "ring 0: :k counts the kernel, RET, and the window's five" counted counts-0 0xC000:k cal.instructions 32 6
claim "a comment says what :k counts in ring 3" grep '^# 0xC000:k: ring 0 alone is counted, and kernels run in ring 3' \
    "$work/counts-3.log"
claim "and what :u counts in ring 0" grep '^# 0xC000:u: rings 1 to 3 alone are counted, and kernels run in ring 0' \
    "$work/counts-0.log"

# Lines of perfex: 0x04000204 is instr_retired, NBOGUSNTAG, T0_USR; with 8 in place of 4 T0_OS.
user=0x00039000/0x04000204@0x8000000C kernel=0x00039000/0x04000208@0x8000000C
for cpu in prescott prestonia; do
    boot $cpu --cpu $cpu --cores 1 --args "kernels=cal.instructions nodes=none repeats=1 events=$user,$kernel ring=3"
    sound $cpu
    claim "$cpu: a line with T0_USR counts the kernel" counted $cpu $user cal.instructions 32 3
    claim "$cpu: a line with T0_OS counts the way in and out" counted $cpu $kernel cal.instructions 0 5
done

# Kernels of the user's own: one begins without a CALL, so its RET alone is beside its loop.
stick own
mkdir "$work/own.esp/slotscope/kernels"
nasm -f bin -o "$work/own.esp/slotscope/kernels/gp_wrmsr.bin" tests/rig/own/gp_wrmsr.asm
printf 'bits 64\nagain: add qword [rsi], 1\ndec rdi\njnz again\nret\n' >"$work/add.asm"
nasm -f bin -o "$work/own.esp/slotscope/kernels/add.bin" "$work/add.asm"
printf 'name own.add\nn 2000\nbuffer 64\nexpect INST_RETIRED.ANY, n * 3, n * 3\n' >"$work/own.esp/slotscope/kernels/add.exp"
printf 'name own.gp\nn 10\n' >"$work/own.esp/slotscope/kernels/gp_wrmsr.exp"
boot own --cpu skylakex --cores 1 --args "kernels=own.*,be.core.chain nodes=none repeats=1 ring=3"
in_order own
put_back own
claim "own.add: USR counts the loop and its RET" counted own INST_RETIRED.ANY own.add 3 1
claim "own.gp: the record names instruction, ring and what is forbidden" has own '.type == "error" and .kernel == "own.gp"
    and .vector == 13 and .ring == 3 and (.what | test("#GP at byte [0-9]+ of its code"))
    and .expected == "the kernel returns; in ring 3 it may execute no privileged instruction"'
claim "own.gp: the verdict is not ok" grep -E '^not ok .* own\.gp runs: ' "$work/own.log"
claim "own.gp: no other verdict fails but that of the run" [ "$(grep -c '^not ok' "$work/own.log")" = 2 ]
claim "own.gp: the kernel beside it is measured" grep -E '^ok .* be\.core\.chain INST_RETIRED\.ANY 6000 ' "$work/own.log"

boot refused --cpu skylakex --cores 1 --args "kernels=cal.empty ring=3 skid=yes"
claim "what runs code of its own in ring 0 is refused, with the place" has refused '.type == "error" and
    .where == "load options:1:24" and (.what | startswith("ring = 3 excludes sibling, precision, skid"))'
nothing_measured refused

[ "${TREE-}" = all ] && cpus='core2 nehalem haswell icelakex sapphirerapids graniterapids'
for cpu in ${cpus-}; do
    for ring in 0 3; do
        boot $cpu-$ring --cpu $cpu --cores 1 --args "ring=$ring repeats=1"
    done
    sound $cpu-3
    claim "$cpu: ring 3 has the verdicts of ring 0" same_verdicts $cpu-0 $cpu-3
done
finish
