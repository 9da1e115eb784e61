#!/bin/sh
# The sweep finds what it is there to find: mistakes that the image once made are put back, one at a time, and a fault that
# they turn into a wrong number or a log without an end is found, which it is not in the image as it is. It builds three
# images, so it is not among the suites of `make test`. TAP on standard output.
#   planted.sh BUILD
set -u
. tests/boot.sh

# plant NAME FILE SED [FILE SED ...]: the sources with the mistake in these files, built.
plant() {
    planted=$1
    copy_sources "$1"
    shift
    while [ $# -gt 0 ]; do
        sed -i -E "$2" "$work/$planted/$1"
        claim "$planted: the mistake is in $1" differs "$1" "$work/$planted/$1"
        shift 2
    done
    claim "$planted: the image is built with it" build_image "$planted"
}
differs() { ! cmp -s "$1" "$2"; }

# sweep_one NAME STATUS PATTERN FAULT [IMAGE]
sweep_one() {
    one=$1 status=$2 pattern=$3
    shift 3
    "$build/sweep" "$build" --work "$work/$one.runs" --one "$1" ${2:+--image "$2"} >"$work/$one.out" 2>&1
    [ $? -eq "$status" ] && grep -E "$pattern" "$work/$one.out"
}
# found NAME FAULT PATTERN
found() {
    claim "$1: '$2' is found" sweep_one "$1" 1 "$3" "$2" "$work/$1.overlay/EFI/BOOT/BOOTX64.EFI"
    claim "$1: the image as it is bears '$2'" sweep_one "$1-sound" 0 '^(right|loud|quiet and right);' "$2"
}

# No kernel is measured a second time because a window lies apart: without this neither of the next two would be seen.
once='s/return look->count > 0;/return look->count > PLAN_EVENTS;/'

# A count is 0 when any repeat is below 0 by more than the middle one.
plant noise harness/doubt/second_look.c "$once" harness/judge/results.c \
    's/return results_is_noise\(tally\) \? 0 :/return tally->difference.minimum < 0 \&\& tally->difference.maximum >= 0 \&\& tally->difference.median <= -tally->difference.minimum ? 0 :/'
found noise "skylakex-l2 count:IDQ_UOPS_NOT_DELIVERED.CORE:300 lies:412-412" 'WRONG'

# One error of the stick ends its log.
plant retry boot/firmware/console.c 's/(#define STICK_FLUSHES) 5/\1 1/; s/tries\+\+ < LOG_FILE_TRIES/tries++ < 1/'
found retry "skylakex-l1 uefi:file_write:7" 'NO END: the log on the stick is cut'

# Counters are compared in the self-check, and never again; and an event stays on its counter.
plant recheck harness/doubt/second_look.c "$once" pmu/pass_turn.c 's/\(i \+ by\) %/(i + 0 * by) %/' \
    harness/survey/compare_again.c 's/outcome = every_counter_again\(comparison, verdicts, core, why\);/(void)comparison, (void)verdicts; outcome = EVERY_COUNTER_AGREE;/'
found recheck "skylakex-l2 counter:3:100 lies:140-999999" 'WRONG'
finish
