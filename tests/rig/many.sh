#!/bin/sh
# Machines with more processors than an xAPIC can name, and firmware that hands over in x2APIC mode: all processors are
# started and parked, whichever are measured. Firmware that has control-flow enforcement on gets it back. TAP on standard
# output.
#   many.sh BUILD
# With CORES=all also 512 processors, which take 3 GiB of host memory.
set -u
. tests/boot.sh

# started NAME FOUND: all of those that were found, in x2APIC mode.
started() {
    claim "$1: $2 processors are found and started, in x2APIC mode" has "$1" \
        ".type == \"machine\" and .cores_found == $2 and .cores_started == $2 and .apic_mode == \"x2apic\""
}
# many NAME CORES LAST OPTION...: two threads on each core; measures the first and the last processor.
many() {
    name=$1 cores=$2 last=$3
    shift 3
    boot "$name" --cpu skylakex --cores "$cores" --smt "$@" \
        --args "kernels=cal.instructions levels=1 cores=0,$last log=none repeats=1"
    in_order "$name"
    started "$name" $((cores * 2))
    no_error "$name"
    no_failure "$name"
    claim "$name: the last processor counts as the first does" \
        [ "$(grep -cE "^ok .* core (0|$last) cal\.instructions INST_RETIRED\.ANY" "$work/$name.log")" -eq 2 ]
}

many entry 2 3 --x2apic
many above_255 129 257
[ "${CORES-}" != all ] || many above_511 256 511

# The rig stops when a service is called without control-flow enforcement, and faults where it is broken.
boot enforced --cpu sapphirerapids --cores 2 --cet --args "kernels=cal.instructions levels=1 cores=0 end=return"
in_order enforced
no_error enforced
no_failure enforced
claim "a processor without control-flow enforcement cannot have it on" refuses --cpu skylakex --cores 1 --cet

# No free page below 640 KiB: the rig stops when a service finds the firmware's bytes changed there.
boot borrowed --cpu skylakex --cores 3 --low-used --fault ap-late:1 --args "kernels=cal.instructions cores=0 levels=1 log=none repeats=1"
in_order borrowed
no_error borrowed
claim "borrowed: all cores are started from a page that is borrowed and put back" \
    has borrowed '.type == "machine" and .cores_started == 3'
claim "borrowed: and the log says so" \
    grep -q "^# no page below 640 KiB is free: one of the firmware's was borrowed, and put back" "$work/borrowed.log"

claim "a processor without x2APIC mode is refused that mode" refuses --cpu prescott --cores 1 --x2apic
claim "and more processors than an xAPIC can name" refuses --cpu prescott --cores 128 --smt
claim "more than 512 processors are refused" refuses --cpu skylakex --cores 257 --smt
finish
