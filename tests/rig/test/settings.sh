#!/bin/sh
# How the firmware set a core up, what it left at work, and what `turbo = off` and `prefetch = off` make of it. TAP on standard output.
#   settings.sh BUILD
# The values are those of the SDM's bits over what the rig's tests/rig/cpu/rows.h states: IA32_MISC_ENABLE 50089H,
# prefetchers on, C1E off.
set -u
. tests/boot.sh

verdict() { claim "$1: $2" grep -x "$3" "$work/$1.log"; }
restored() {
    claim "$1: core $2 has its registers back" \
        grep -E "^# core $2: [1-9][0-9]* registers put back, 0 of them differ" "$work/$1.log"
}

boot found --cpu skylakex --cores 2 --args 'levels=1 kernels=cal.empty'
in_order found
claim "found: one record, since both cores are set up alike" [ "$(records found 'select(.type == "settings").core')" = 0 ]
claim "found: firmware and board are named by SMBIOS" has found '.type == "machine" and .bios == "slotscope 1 11/25/2026" and
    .board == "slotscope rig"'
claim "found: turbo and all prefetchers are on, C1E and HWP are not" has found '.type == "settings" and .turbo and
    .prefetch == {l2_hardware: true, l2_adjacent: true, dcu_hardware: true, dcu_ip: true} and
    .c1e == false and .hwp == false'
claim "found: the registers are as they were found" has found '.type == "settings" and
    .registers.IA32_MISC_ENABLE == "0x50089" and .registers.MSR_MISC_FEATURE_CONTROL == "0x0" and
    .registers.IA32_PM_ENABLE == null'
claim "found: nothing was to be set" absent ' = off' "$work/found.log"

boot off --cpu skylakex --cores 2 --args 'levels=1 kernels=cal.empty turbo=off prefetch=off'
in_order off
no_failure off
for core in 0 1; do
    verdict off "core $core has no turbo" "ok [0-9]* - core $core turbo = off: IA32_MISC_ENABLE is 0x4000050089"
    verdict off "nor prefetchers" "ok [0-9]* - core $core prefetch = off: MSR_MISC_FEATURE_CONTROL is 0xf"
    restored off $core
done
claim "off: the record has what was found" has off '.type == "settings" and .turbo and .prefetch.dcu_ip'

# What records is switched off before the first window, named, and put back. Processor trace (BranchEn, User, TraceEn)
# and LBR exclude each other here; FREEZE_WHILE_SMM alone disturbs nothing.
boot traced --cpu skylakex --cores 1 --args 'levels=1 kernels=cal.*' --found 0x570=0x2009 --found 0x1d9=0x4000
in_order traced
no_failure traced
restored traced 0
claim "traced: processor trace is named" \
    grep -x '# core 0: IA32_RTIT_CTL was enabled by the firmware (0x2009); disabled while measuring' "$work/traced.log"
claim "traced: FREEZE_WHILE_SMM alone is not" absent 'IA32_DEBUGCTL was enabled' "$work/traced.log"
claim "traced: no window is traced" absent recorders "$work/traced.truth"
claim "traced: the registers hold what they held" absent 'held 0x' "$work/traced.err"
boot stack --cpu sapphirerapids --cores 1 --args 'levels=1 kernels=cal.loads' --found 0x570=0x2009 --found 0x14ce=0x7f0007
in_order stack
claim "stack: the architectural stack and processor trace are named" \
    [ "$(grep -cE '^# core 0: IA32_(LBR|RTIT)_CTL was enabled by the firmware' "$work/stack.log")" = 2 ]
claim "stack: no window is recorded" absent recorders "$work/stack.truth"
claim "stack: the registers hold what they held" absent 'held 0x' "$work/stack.err"
for bad in 0x570 x=1 0x570= 0x570=2x 0x12345=1 0x570=0x40000; do
    claim "--found $bad is refused" refuses --cpu skylakex --cores 1 --found $bad
done

boot hybrid --cpu alderlake --cores 2 --args 'levels=1 kernels=cal.empty prefetch=off'
in_order hybrid
claim "hybrid: the P core has no prefetchers" grep '^ok .* core 0 prefetch = off: ' "$work/hybrid.log"
claim "hybrid: the E core says why it keeps them" \
    grep '^ok .* core 1 prefetch = off # SKIP an E core.s switches' "$work/hybrid.log"
claim "hybrid: each kind has its record" [ "$(records hybrid 'select(.type == "settings").prefetch == null' | xargs)" = "false true" ]

boot old --cpu prescott --cores 1 --args 'levels=1 kernels=cal.empty turbo=off'
in_order old
claim "old: a processor of another family says so" grep '^ok .* core 0 turbo = off # SKIP its switch' "$work/old.log"
claim "old: its prefetchers are not told" has old '.type == "settings" and .prefetch == null and .c1e == null'
# Memory that the firmware keeps for special purposes is the largest free part of all, and of each node: nothing is
# taken from it, with boot services (by address, near a node) and without them (out of the map).
boot special-near --cpu skylakex --cores 2 --sockets 2 --special-memory --args 'levels=1 kernels=cal.loads'
in_order special-near
boot special-alone --cpu skylakex --cores 1 --special-memory --args 'levels=1 kernels=cal.loads exclusive=yes'
in_order special-alone
claim "special-alone: boot services had ended" has special-alone '.type == "machine" and (.boot_services | not)'
boot amd --cpu zen4 --cores 1 --args 'levels=1 kernels=cal.empty'
in_order amd
claim "amd: there is no record" has_no amd '.type == "settings"'
finish
