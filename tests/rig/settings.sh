#!/bin/sh
# How the firmware set a core up, what it left at work, and what `turbo = off` and `prefetch = off` make of it. TAP on
# standard output.
#   settings.sh BUILD
# The values are those of the SDM's bits over what the rig's rig/cpu/rows.h states: IA32_MISC_ENABLE 50089H,
# prefetchers on, C1E off.
set -u
. tests/boot.sh

verdict() { claim "$1: $2" grep -x "$3" "$work/$1.log"; }
restored() {
    claim "$1: core $2 has its registers back" \
        grep -E "^# core $2: [1-9][0-9]* registers put back, 0 of them differ" "$work/$1.log"
}

few='levels=1 repeats=1 warmup=0'
boot found --cpu skylakex --cores 2 --args "$few kernels=cal.empty"
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

# The threads of a core have one MSR_MISC_FEATURE_CONTROL, a package one bit for turbo (SDM 4). be.mem.bandwidth loads
# a line once an iteration, of more lines than the caches hold: only a prefetcher can have brought it into one of them.
stream="$few kernels=be.mem.bandwidth events=MEM_LOAD_RETIRED.L3_MISS"
# misses NAME CORE CONDITION: on the loads of each window of n iterations, $n, that came from memory.
misses() {
    claim "$1: core $2: of n loads so many come from memory: $3" [ "$(records "$1" "select(.type == \"counts\" and
        .core == $2 and .kernel == \"be.mem.bandwidth\") | .iterations as \$n | .events.\"MEM_LOAD_RETIRED.L3_MISS\" |
        select(. != null) | $3" | uniq -c | xargs)" = "2 true" ]
}
are_off() {
    name=$1
    shift
    for core; do
        verdict "$name" "core $core has no turbo" "ok [0-9]* - core $core turbo = off: IA32_MISC_ENABLE is 0x4000050089"
        verdict "$name" "nor prefetchers" "ok [0-9]* - core $core prefetch = off: MSR_MISC_FEATURE_CONTROL is 0xf"
        misses "$name" $core '.min >= $n'
    done
}
left() { claim "$1: every processor is left as it was found" absent 'is left with' "$work/$1.err"; }
# switches NAME COUNT: so many registers were put back.
switches() { verdict "$1" "$2 registers put back" "# turbo and prefetchers: $2 registers put back, 0 of them differ"; }

boot streams --cpu skylakex --cores 1 --smt --args "$stream cores=1"
in_order streams
misses streams 1 '.max < 0.9 * $n'
left streams
boot threads --cpu skylakex --cores 2 --smt --args "$stream turbo=off prefetch=off"
in_order threads
no_failure threads
are_off threads 0 1 2 3
switches threads 8
left threads
for core in 0 1 2 3; do
    restored threads $core
done
claim "threads: what was found is the same on all, and one record" [ "$(records threads 'select(.type == "settings") |
    [.core, .turbo, .prefetch.dcu_ip] | @csv')" = 0,true,true ]
boot packages --cpu skylakex --cores 2 --sockets 2 --smt --found 0x1a4=0x3 \
    --args "$stream turbo=off prefetch=off parallel=yes cores=0-2"
in_order packages
are_off packages 0 1 2
switches packages 6
left packages
claim "packages: the record has what was found" has packages '.type == "settings" and .turbo and
    (.prefetch.l2_hardware | not) and .prefetch.dcu_ip'
boot siblings --cpu skylakex --cores 1 --smt --args "$few kernels=cal.empty nodes=none turbo=off prefetch=off sibling=ret.nop"
in_order siblings
switches siblings 4
left siblings

# A core that is lost leaves its registers to the thread, or the package, that is still measured with them.
lost() {
    claim "$1: the run lost core $2" grep -E "^not ok .* core $2 works until the run is over" "$work/$1.log"
}
for how in nmi init; do
    boot lost-$how --cpu skylakex --cores 2 --smt --fault stuck:2:60:$how \
        --args "$stream turbo=off prefetch=off cores=2-3 timeout=1"
    in_order lost-$how
    lost lost-$how 2
    are_off lost-$how 3
    switches lost-$how 2
    claim "lost-$how: the switches are as they were found" absent 'MSR 0x1a[04] .* is left with' "$work/lost-$how.err"
done
boot all-lost --cpu skylakex --cores 2 --smt --fault stuck:2:60:nmi --fault stuck:3:60:nmi \
    --args "$stream turbo=off prefetch=off cores=2-3 timeout=1"
in_order all-lost
lost all-lost 2
lost all-lost 3
switches all-lost 2
left all-lost
boot none-left --cpu skylakex --cores 2 --smt --fault stuck:3:60:init \
    --args "$stream turbo=off prefetch=off cores=3 timeout=1"
in_order none-left
for key in turbo prefetch; do
    verdict none-left "nobody is left to switch $key on" "# core 3: $key could not be put back"
done
claim "none-left: and the rig's processors show it" [ "$(grep -cE 'processor [23]: MSR 0x1a4 held 0x0 and is left with 0xf$' \
    "$work/none-left.err")" = 2 ]

# Other ends: nothing is measured, and ESC after some rounds. The boot processor's trap is in broken.sh.
boot refused --cpu skylakex --cores 1 --smt --args "$stream,NO.SUCH turbo=off prefetch=off"
claim "refused: nothing is measured" has refused '.type == "end" and .reason == "configuration"'
switches refused 4
left refused
boot escape --cpu skylakex --cores 1 --keys "$(printf '%030d\033' 0)" --args "$few kernels=cal.empty turbo=off prefetch=off loop=forever"
claim "escape: ESC ended the rounds" has escape '.type == "end" and .rounds >= 1'
switches escape 2
left escape

# What records is switched off before the first window, named, and put back. Processor trace (BranchEn, User, TraceEn)
# and LBR exclude each other here; FREEZE_WHILE_SMM alone disturbs nothing.
boot traced --cpu skylakex --cores 1 --args "$few kernels=cal.*" --found 0x570=0x2009 --found 0x1d9=0x4000
in_order traced
no_failure traced
restored traced 0
claim "traced: processor trace is named" \
    grep -x '# core 0: IA32_RTIT_CTL was enabled by the firmware (0x2009); disabled while measuring' "$work/traced.log"
claim "traced: FREEZE_WHILE_SMM alone is not" absent 'IA32_DEBUGCTL was enabled' "$work/traced.log"
claim "traced: no window is traced" absent recorders "$work/traced.truth"
claim "traced: the registers hold what they held" absent 'held 0x' "$work/traced.err"
boot stack --cpu sapphirerapids --cores 1 --args "$few kernels=cal.loads" --found 0x570=0x2009 --found 0x14ce=0x7f0007
in_order stack
claim "stack: the architectural stack and processor trace are named" \
    [ "$(grep -cE '^# core 0: IA32_(LBR|RTIT)_CTL was enabled by the firmware' "$work/stack.log")" = 2 ]
claim "stack: no window is recorded" absent recorders "$work/stack.truth"
claim "stack: the registers hold what they held" absent 'held 0x' "$work/stack.err"
for bad in 0x570 x=1 0x570= 0x570=2x 0x12345=1 0x570=0x40000; do
    claim "--found $bad is refused" refuses --cpu skylakex --cores 1 --found $bad
done

boot hybrid --cpu alderlake --cores 2 --args "$few kernels=cal.empty prefetch=off"
in_order hybrid
claim "hybrid: the P core has no prefetchers" grep '^ok .* core 0 prefetch = off: ' "$work/hybrid.log"
claim "hybrid: the E core says why it keeps them" \
    grep '^ok .* core 1 prefetch = off # SKIP an E core.s switches' "$work/hybrid.log"
claim "hybrid: each kind has its record" [ "$(records hybrid 'select(.type == "settings").prefetch == null' | xargs)" = "false true" ]

# The two threads of a NetBurst core have one set of counters, ESCRs and CCCRs (SDM 4: "shared").
boot netburst --cpu prescott --cores 1 --smt --args "$few kernels=cal.empty nodes=none sibling=ret.nop turbo=off"
in_order netburst
restored netburst 0
restored netburst 1
left netburst
claim "netburst: a processor of another family says so" grep '^ok .* core 0 turbo = off # SKIP its switch' "$work/netburst.log"
claim "netburst: its prefetchers are not told" has netburst '.type == "settings" and .prefetch == null and .c1e == null'
# Memory that the firmware keeps for special purposes is the largest free part of all, and of each node: nothing is
# taken from it, with boot services (by address, near a node) and without them (out of the map).
boot special-near --cpu skylakex --cores 2 --sockets 2 --special-memory --args "$few kernels=cal.loads"
in_order special-near
boot special-alone --cpu skylakex --cores 1 --special-memory --args "$few kernels=cal.loads exclusive=yes"
in_order special-alone
claim "special-alone: boot services had ended" has special-alone '.type == "machine" and (.boot_services | not)'
boot amd --cpu zen4 --cores 1 --args "$few kernels=cal.empty"
in_order amd
claim "amd: there is no record" has_no amd '.type == "settings"'
finish
