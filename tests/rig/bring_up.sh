#!/bin/sh
# Bring-up: a machine that dies leaves its place in the log, a processor that traps early is named, no MSR is read
# when the take-over fails, and the log of the run before is kept. TAP on standard output. The counters of an AMD
# processor before Zen are not programmed, which makes these runs short.
#   bring_up.sh BUILD
set -u
. tests/boot.sh

# shellcheck disable=SC2086 # options in words
old="--cpu zen4 --cpuid $work/k10.csv"
k10 "$work/k10.csv"

# run NAME OPTION...
run() {
    name=$1
    shift
    boot "$name" $old --cores 2 --args 'kernels=cal.empty' "$@"
}
stick_log() { echo "$work/$1.esp/slotscope/slotscope.log"; }

# dies NAME PHASE FAULT: the machine dies, and the last line on the serial line and on the stick is that phase's.
dies() {
    run "$1" --fault "$3"
    claim "$1: the machine dies" grep -E "triple fault|under the firmware's handlers" "$work/$1.err"
    claim "$1: the serial line ends with its phase" last_is "$work/$1.log" "$2"
    claim "$1: and so does the stick" last_is "$(stick_log "$1")" "$2"
}
last_is() { tail -1 "$1" && [ "$(tail -1 "$1")" = "# bring-up: $2" ]; }
# IA32_APIC_BASE is read first, before there are own handlers. CR3 changes first when the own tables are loaded; the
# fourth change is back to the firmware, for the wait behind the first INIT.
dies apic 'local APIC' msr:1
dies own 'own page tables and descriptor tables are loaded' triple:1
dies start 'the other processors start' triple:4

# The second access, of IA32_EFER for the trampoline, comes under own handlers.
run second --fault msr:2
claim "second: the log is whole" whole "$work/second.log"
claim "second: the trap has its registers logged" has second '.type == "error" and
    .what == "unexpected trap: #GP" and .core == 0 and .vector == 13 and .registers.rcx == "0xc0000080"'
claim "second: and ends the run" grep '^not ok 1 - the run comes to its end: core 0 trapped$' "$work/second.log"

# The third access is that of processor 1, which enables its local APIC before it is parked.
run early --fault msr:3
in_order early
claim "early: the processor that traps before it is parked has its registers logged" has early '.type == "error" and
    .what == "unexpected trap: #GP" and .core == 1 and .vector == 13 and .registers.rcx == "0x1b"'
claim "early: and is not used" has early '.type == "machine" and .cores_found == 2 and .cores_started == 1'
claim "early: nor started again without a word" \
    grep '^# core 1: an unexpected trap before it was parked$' "$work/early.log"

# Taking over fails where memory for tables and stacks is asked for, behind the run's own. Every MSR but two is a #GP then, as an MSR that
# the processor lacks would be, and the firmware's handlers would end the run.
failed=0
for k in 6 8 10 12; do
    run take-$k --fault uefi:allocate_pages:$k --fault msr:unguarded
    has take-$k '.type == "error" and (.what | test("cannot be taken over"))' >/dev/null || continue
    failed=$((failed + 1))
    in_order take-$k
done
claim "take: the take-over failed in at least two of these runs" [ $failed -ge 2 ]

# The log of the run before. What is older than that is gone.
run first
claim "first: there is no log of a run before" [ ! -e "$work/first.esp/slotscope/slotscope.1.log" ]
cp "$(stick_log first)" "$work/first.kept"
run first
claim "second: the log of the run before is there" same "$work/first.kept" "$work/first.esp/slotscope/slotscope.1.log"
claim "second: the log says so" grep '^# the log of the run before is kept as slotscope.1.log$' "$(stick_log first)"
claim "second: and is whole" whole "$(stick_log first)"
cp "$(stick_log first)" "$work/first.kept"
run first
claim "third: the log of the run before is there" same "$work/first.kept" "$work/first.esp/slotscope/slotscope.1.log"
# A folder in its place: the log has the spare name, and says so.
stick folder
mkdir "$work/folder.esp/slotscope/slotscope.1.log"
echo old >"$(stick_log folder)"
run folder
claim "folder: the log says where the one before is" grep '^# the log of the run before is kept as slotscope.2.log$' "$(stick_log folder)"
claim "folder: which is there" [ "$(cat "$work/folder.esp/slotscope/slotscope.2.log")" = old ]
claim "folder: the stick's log is whole" whole "$(stick_log folder)"
# A second run there: that name is taken, and the next one is used.
cp "$(stick_log folder)" "$work/folder.kept"
run folder
claim "folder, again: the log of the run before is there" \
    same "$work/folder.kept" "$work/folder.esp/slotscope/slotscope.3.log"
claim "folder, again: and no older one" [ ! -e "$work/folder.esp/slotscope/slotscope.2.log" ]
# Firmware that cannot rename files: nothing is deleted for a log that cannot take its place.
stick rename
echo old >"$(stick_log rename)"
for age in 1 2; do echo "older $age" >"$work/rename.esp/slotscope/slotscope.$age.log"; done
run rename --fault stick:rename
in_order rename
claim "rename: the log says that the one before is lost" has rename '.type == "error" and
    .what == "the log of the run before could not be kept, and is lost" and (.where | test("slotscope\\.log$"))'
for age in 1 2; do
    claim "rename: slotscope.$age.log is as it was" \
        [ "$(cat "$work/rename.esp/slotscope/slotscope.$age.log")" = "older $age" ]
done
# The other processors must not go on in memory that is the firmware's again.
boot back $old --cores 2 --args 'kernels=cal.empty end=return' --processors "$work/back.processors"
claim "back: where the image returns the other processors wait for a start" \
    jq -nce 'inputs | select(.processor == 1 and .stands == "wait_for_sipi")' "$work/back.processors"
# Firmware that wakes processors by memory waits for each without an end that does not look there any more.
for way in init memory; do
    boot back-$way $old --cores 3 --args 'kernels=cal.empty end=return' --mp-services $way \
        --processors "$work/back-$way.processors"
    claim "back-$way: the image returns" grep -q 'the image returned' "$work/back-$way.err"
    claim "back-$way: each processor was sent an INIT at the start, at the end, and by the firmware" [ "$(jq -r \
        'select(.processor > 0) | "\(.stands) \(.inits)"' "$work/back-$way.processors" | sort -u)" = 'wait_for_sipi 3' ]
    claim "back-$way: the log says so" grep -q '^# end = return: the firmware gets its processors back through' "$work/back-$way.log"
done
claim "back: without MP services the log says so" grep -q '^# end = return: the firmware has no MP services' "$work/back.log"
boot refused-back $old --cores 3 --args 'kernels=cal.empty end=return' --mp-services memory \
    --fault uefi:mp_enable_disable:3 --screen "$work/refused-back.screen"
claim "refused-back: where the firmware does not take one back the machine is reset" grep -q 'reset' "$work/refused-back.err"
claim "refused-back: and the screen says why" grep -q 'does not take its processors back' "$work/refused-back.screen"
run off --processors "$work/off.processors"
claim "off: where it switches the machine off they are halted, so that they answer an SMI" \
    jq -nce 'inputs | select(.processor == 1 and .stands == "halted" and .wait_for_sipi == 0)' "$work/off.processors"
# The local APIC of the boot processor, as firmware may hand it over. The boot processor waits while core 1, the other
# thread of its core, measures; ret.nop needs all slots. SDM 3A, "Local APIC State After It Has Been Software Disabled".
# waits NAME SPURIOUS TIMER OPTION...: in a run with these options; the registers are left so.
waits() {
    name=$1 spurious=$2 timer=$3
    shift 3
    boot "$name" --cpu skylakex --cores 1 --smt --args 'kernels=ret.nop levels=1 cores=1 repeats=1' \
        --processors "$work/$name.processors" "$@"
    in_order "$name"
    no_failure "$name"
    claim "$name: the local APIC is left as it was found" jq -nce "inputs | select(.processor == 0 and
        .spurious == \"$spurious\" and .timer == \"$timer\")" "$work/$name.processors"
}
# alone NAME: the boot processor halted, so that the other thread had all slots.
alone() {
    no_error "$1"
    claim "$1: the thread beside the boot processor has the whole core" grep -E \
        '^ok [0-9]+ - core 1 ret\.nop tma_retiring (0\.99|1\.00)[0-9] in' "$work/$1.log"
}
waits x2apic 0x10f 0x10000 --x2apic
alone x2apic
waits disabled 0xff 0x10000 --apic off
alone disabled
waits deadline 0x10f 0x40040 --apic deadline
claim "deadline: the log says that the boot processor cannot halt" has deadline '.type == "error" and
    (.what | test("cannot halt while another core measures")) and .where == "local APIC, LVT Timer Register"'
claim "deadline: the counts of the thread beside it are not trusted" has deadline \
    '.type == "topdown" and .core == 1 and .kernel == "ret.nop" and .trusted == false'
claim "deadline: nor judged" grep -E "^ok [0-9]+ - core 1 ret\.nop tma_retiring .* # SKIP core 1 is untrusted: the boot\
 processor, its sibling thread, cannot halt$" "$work/deadline.log"
boot apart --cpu skylakex --cores 2 --apic deadline --args 'kernels=cal.empty levels=1 cores=1 repeats=1'
claim "apart: a core of its own is trusted" has_no apart '.trusted == false'
claim "a processor without TSC-deadline mode is refused it" refuses --cpu prescott --cores 1 --apic deadline
finish
