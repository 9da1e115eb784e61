#!/bin/sh
# Kernels that trap or never return, on the boot processor and on others, alone and while others work: the run
# ends by itself, a verdict says so, and every register is as it was found. TAP on standard output.
#   broken.sh BUILD
set -u
. tests/boot.sh

# kernel NAME TITLE INSTRUCTION...
kernel() {
    name=$1 title=$2
    shift 2
    {
        printf '%%include "kernels/kernel.inc"\nKERNEL %s, "%s"\n    ITERATIONS 100\n' "$name" "$title"
        printf '    EXPECT INST_RETIRED.ANY, n, n\nCODE\n'
        printf '%s\n' "$@" '    ret' 'ENDKERNEL'
    } >"$work/changed/kernels/$name.asm"
}
# run NAME CORES ARGUMENTS END-REASON
run() {
    stick "$1" "$work/changed.overlay"
    boot "$1" --cpu skylakex --cores "$2" --args "levels=1 $3"
    in_order "$1"
    claim "$1: its end record says: $4" has "$1" ".type == \"end\" and .reason == \"$4\""
}
verdict() { claim "$1: the verdict is not ok" grep -E "^not ok .*$2" "$work/$1.log"; }
# put_back NAME CORE...: each of these cores' registers hold their old values.
put_back() {
    name=$1
    shift
    for core; do
        claim "$name: core $core has its registers back" \
            grep -E "^# core $core: [1-9][0-9]* registers put back, 0 of them differ" "$work/$name.log"
    done
}
dumped() { has "$1" ".what == \"unexpected trap: #UD\" and (.where | startswith(\"core $2, rip\"))"; }

copy_sources changed
kernel zz.trap "an instruction that no processor has" "    ud2"
kernel zz.hang "a halt without an end" ".halt:" "    hlt" "    jmp .halt"
claim "the image builds with both" build_image changed

run trapped 3 "kernels=zz.trap cores=1-2" lost
verdict trapped 'core 1 zz\.trap runs: core 1 trapped'
claim "trapped: the register dump names core and place" dumped trapped 1
put_back trapped 1 2

# After a trap of the boot processor nothing can follow, but a log without a failure would look like a good run.
run last 2 "kernels=zz.trap turbo=off prefetch=off" trap
verdict last 'core 0 zz\.trap runs: core 0 trapped'
put_back last 0
claim "last: so have turbo and the prefetchers" grep -x '# turbo and prefetchers: 4 registers put back, 0 of them differ' \
    "$work/last.log"
claim "last: every processor is left as it was found" absent 'is left with' "$work/last.err"

# The others end their work after the boot processor's trap; their interrupts must not reach the firmware.
run together 3 "kernels=zz.trap parallel=yes" trap
for core in 0 1 2; do
    claim "together: core $core's registers are dumped" dumped together $core
done
for core in 1 2; do
    claim "together: core $core is named as lost" grep -E "^not ok .* core $core works until the run is over: an unexpected trap" \
        "$work/together.log"
done
put_back together 0

run returned 2 "kernels=zz.trap end=return" trap

run hang 3 "kernels=zz.hang cores=1-2 timeout=1" lost
verdict hang 'core 2 zz\.hang runs: core 2 did not come back'
put_back hang 1 2

# Only another core can end the boot processor's work.
run stuck 2 "kernels=zz.hang timeout=1" trap
verdict stuck 'core 0 zz\.hang runs: core 0 did not come back in 1 s'
put_back stuck 0

finish
