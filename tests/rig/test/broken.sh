#!/bin/sh
# Kernels that trap or never return, on the boot processor and on others, alone and while others work: the run ends by
# itself, says so in a verdict, and every register is as it was found. TAP on standard output.
#   broken.sh BUILD
set -u
build=$1
work=$build/broken
. "$(dirname "$0")/../../tap.sh"
rm -rf "$work"
mkdir -p "$work/source/tests/qemu" "$work/source/build"

# kernel NAME TITLE INSTRUCTION...
kernel() {
    name=$1
    {
        printf '%%include "kernels/kernel.inc"\nKERNEL %s, "%s"\n    ITERATIONS 100\n' "$1" "$2"
        printf '    EXPECT INST_RETIRED.ANY, n, n\nCODE\n'
        shift 2
        printf '%s\n' "$@" '    ret' 'ENDKERNEL'
    } >"$work/source/kernels/$name.asm"
}
# boot NAME CORES ARGUMENTS...: the log to $work/NAME.log
boot() {
    name=$1 cores=$2
    shift 2
    rm -rf "$work/esp"
    cp -r "$build/esp" "$work/esp"
    cp "$work/source/build/BOOTX64.EFI" "$work/esp/EFI/BOOT/"
    "$build/rig" --cpu skylakex --cores "$cores" --esp "$work/esp" --seconds 120 --args "$*" \
        >"$work/$name.serial" 2>"$work/$name.err"
    echo $? >"$work/$name.status"
    tr -d '\r' <"$work/$name.serial" >"$work/$name.log"
}
ended() { cat "$work/$1.err"; [ "$(cat "$work/$1.status")" = 0 ] && grep "^{\"type\":\"end\".*\"reason\":\"$2\"" "$work/$1.log"; }
# in_order NAME REASON: status 0, `end` for that reason, a log that is whole.
in_order() {
    claim "$1: the image ends the run itself" ended "$1" "$2"
    claim "$1: records, CRCs, sequence, plan" "$build/tools/check_log" "$work/$1.log"
}
# put_back NAME CORE...: each of these cores' registers hold their old values.
put_back() {
    name=$1
    shift
    for core; do
        claim "$name: core $core has its registers back" \
            grep -E "^# core $core: [1-9][0-9]* registers put back, 0 of them differ" "$work/$name.log"
    done
}

# What is already built is not built again.
cp -a Makefile linker.ld boot pmu kernels harness "$work/source/"
cp -a "$build/image" "$build/asm" "$work/source/build/"
cp tests/setup.sh "$work/source/tests/"
touch "$work/source/build/.packages" "$work/source/tests/qemu/image.sh"
kernel zz.trap "an instruction that no processor has" "    ud2"
kernel zz.hang "a halt without an end" ".halt:" "    hlt" "    jmp .halt"
claim "the image builds with both" make -s -C "$work/source" BUILD=build build/BOOTX64.EFI

boot trap 3 "kernels=zz.trap cores=1-2"
in_order trap complete
claim "trap: the verdict is not ok" grep -E '^not ok .*core 1 zz\.trap runs: core 1 trapped' "$work/trap.log"
claim "trap: the register dump names it" grep '"what":"unexpected trap: #UD","where":"core 1, rip' "$work/trap.log"
put_back trap 1 2

# The boot processor's own: nothing can follow, but a log without a failure would look like a good run.
boot last 2 "kernels=zz.trap"
in_order last trap
claim "last: the verdict is not ok" grep -E '^not ok .*core 0 zz\.trap runs: core 0 trapped' "$work/last.log"
put_back last 0

# The others end their work after it; their interrupts must not reach the firmware.
boot together 3 "kernels=zz.trap parallel=yes"
in_order together trap
claim "together: every core's dump" test "$(grep -c '"what":"unexpected trap: #UD"' "$work/together.log")" = 3
put_back together 0

boot returned 2 "kernels=zz.trap end=return"
in_order returned trap

boot hang 3 "kernels=zz.hang cores=1-2 timeout=1"
in_order hang complete
claim "hang: the verdict is not ok" grep -E '^not ok .*core 2 zz\.hang runs: core 2 did not come back' "$work/hang.log"
put_back hang 1 2

# Nobody but another core can end the boot processor's work.
boot stuck 2 "kernels=zz.hang timeout=1"
in_order stuck trap
claim "stuck: the verdict is not ok" grep -E '^not ok .*core 0 zz\.hang runs: core 0 did not come back in 1 s' "$work/stuck.log"
put_back stuck 0

finish
