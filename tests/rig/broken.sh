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
    boot "$1" --cpu skylakex --cores "$2" $mode --args "levels=1 $3"
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

mode=
copy_sources changed
kernel zz.trap "an instruction that no processor has" "    ud2"
kernel zz.hang "a halt without an end" ".halt:" "    hlt" "    jmp .halt"
# To itself, by the local APIC in x2APIC mode: one in each iteration, or without an end.
nmi='    mov ecx, 0x802|    rdmsr|    mov edx, eax|    mov eax, 0x4400|    mov ecx, 0x830'
ifs=$IFS IFS='|'
set -f
kernel zz.nmi "an NMI in each window" $nmi "    wrmsr" ".again:" "    dec rdi" "    jnz .again"
kernel zz.storm "NMIs without an end" $nmi ".storm:" "    wrmsr" "    jmp .storm"
set +f
IFS=$ifs
# Each call moves the core's time stamp counter: five hours further, or back.
tsc() { kernel "$1" "$2" "    rdtsc" "    add edx, $3" "    mov ecx, 0x10" "    wrmsr" "    mov rcx, rdi" ".once:" "    loop .once"; }
tsc zz.later "a time stamp counter that jumps" 10000
tsc zz.earlier "a time stamp counter that falls back" -10000
claim "the image builds with all" build_image changed

run trapped 3 "kernels=zz.trap cores=1-2" lost
verdict trapped 'core 1 zz\.trap runs: core 1 trapped'
claim "trapped: the register dump names core and place" dumped trapped 1
put_back trapped 1 2

# After a trap of the boot processor nothing can follow, but a log without a failure would look like a good run.
run last 2 "kernels=zz.trap turbo=off prefetch=off end=return" trap
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

run hang 3 "kernels=zz.hang cores=1-2 timeout=1" lost
verdict hang 'core 2 zz\.hang runs: core 2 did not come back'
put_back hang 1 2

# Only another core can end the boot processor's work.
run stuck 2 "kernels=zz.hang timeout=1" trap
verdict stuck 'core 0 zz\.hang runs: core 0 did not come back in 1 s'
put_back stuck 0

# Any number of NMIs ends at the 10,000th: as a trap does, long before the timeout.
mode=--x2apic
run nmi-storm 3 "kernels=zz.storm,ret.nop cores=1-2 repeats=1 warmup=1" lost
verdict nmi-storm 'core 1 zz\.storm runs: core 1 had a storm of NMIs that nobody asked for in zz\.storm'
claim "nmi-storm: so has the dump" has nmi-storm '.core == 2 and .what == "unexpected trap: 10000 NMIs that nobody asked for"'
put_back nmi-storm 1 2
run last-storm 2 "kernels=zz.storm" trap
verdict last-storm 'core 0 zz\.storm runs: core 0 trapped'
put_back last-storm 0
# Every window is disturbed, and no other kernel's is.
run nmi 2 "kernels=zz.nmi,ret.nop repeats=1" lost
for core in 0 1; do
    claim "nmi: core $core: a record says how many came, where, and that port 61H names no cause" has nmi \
        ".core == $core and .nmis >= 5"' and (.where | test("^core ., zz.nmi, the first at rip 0x")) and .port_61 != null
            and .expected == "no NMI; port 61H names no cause"'
    claim "nmi: core $core: nothing is published of that kernel" has_no nmi \
        ".core == $core"' and .kernel == "zz.nmi" and (.type == "counts" or .cpi != null or (.nodes? // {} | any(. != null)))'
    claim "nmi: core $core: no window of the next kernel was thrown away" has nmi \
        ".core == $core"' and .kernel == "ret.nop" and .type == "guard" and .discarded.nmi == 0 and .kept > 0'
done

# The last core has work and is the watchdog of the boot processor; the boot processor waits for all of them.
beside="parallel=yes loop=2"
run others 3 "kernels=ret.nop,zz.later,zz.earlier cores=1-2 $beside" complete
claim "others: no core is lost, and nothing fails" absent '^not ok' "$work/others.log"
claim "others: the run's time is the boot processor's" has others \
    '.type == "end" and .duration_us > 1000 and .duration_us < 10000000'
for jump in later earlier; do
    run $jump-all 3 "kernels=ret.nop,zz.$jump $beside" complete
    claim "$jump-all: no core is lost, and nothing fails" absent '^not ok' "$work/$jump-all.log"
    claim "$jump-all: the run has no time, and an error says why" has $jump-all \
        '.type == "end" and .duration_us == null'
    claim "$jump-all: once" [ "$(records $jump-all 'select(.type == "error") | .what' | uniq -c | tr -s ' ')" = \
        " 1 the boot processor's time stamp counter was written, or nobody looked for 200 s" ]
done

finish
