#!/bin/sh
# Cores that are lost in the middle of a run, wherever: a verdict names each of them, the end record and the status say
# that the run is not whole, and nothing is skipped without a reason. TAP on standard output.
#   lost.sh BUILD
# With TREE=all a core is lost long before the last window of its samples, too.
set -u
. tests/boot.sh

# run NAME CORES ARGUMENTS OPTION...
run() {
    name=$1 cores=$2 arguments=$3
    shift 3
    [ ! -d "$work/changed.overlay" ] || stick "$name" "$work/changed.overlay"
    boot "$name" --cpu skylakex --cores "$cores" --args "levels=1 repeats=1 timeout=1 $arguments" "$@"
    in_order "$name"
    claim "$name: every SKIP has a reason" absent '# SKIP *$' "$work/$name.log"
}
verdict() { claim "$1: not ok: $2" grep -E "^not ok [0-9]+ - $2\$" "$work/$1.log"; }
# ends NAME REASON MEMBER COUNT: of the end record.
ends() { claim "$1: its end says $2, $3 $4" has "$1" ".type == \"end\" and .reason == \"$2\" and .$3 == $4"; }
# lost NAME CORE WHY: it was lost in the middle, and no other core was.
lost() {
    verdict "$1" "core $2 works until the run is over: $3"
    claim "$1: no other core is lost" absent "^not ok [0-9]+ - core ([^$2]|$2[0-9]) works" "$work/$1.log"
    ends "$1" lost cores_lost 1
}

run compared 2 'kernels=ret.nop' --fault stuck:1:1:nmi
verdict compared 'core 1 counters agree: core 1 did not come back while its counters were compared'
ends compared unmeasured cores_unmeasured 1

# An SMI comes every 50,000 cycles, so that a window that takes longer is never undisturbed: in the run without SMIs
# windows of 2n take 2 x 28,000 cycles (be.mem.l2), 2 x 60,000 (be.mem.dtlb), 2 x 168,000 (be.mem.dram); of ret.nop
# 2 x 2,500, and of the self-check at most 2 x 4,500.
long='be.mem.dram be.mem.dtlb be.mem.l2'
kernels=kernels=ret.nop,be.mem.l2,be.mem.dtlb,be.mem.dram,be.mem.shared.remote
run noise-sound 2 "$kernels"
claim "noise-sound: whose windows take over 50,000 cycles: $long" [ "$(records noise-sound 'select(.type == "cpi" and
    .core == 0 and 2 * .iterations * .cycles_per_iteration > 50000).kernel' | sort | xargs)" = "$long" ]
no_failure noise-sound
run noise 2 "$kernels" --fault smi:20
for core in 0 1; do
    verdict noise "core $core measures each kernel to its end, except 3: be\.mem\.dram, be\.mem\.dtlb, be\.mem\.l2"
    claim "noise: core $core: error records say which and why" [ "$(records noise 'select(.type == "error" and
        .what == "too many windows were disturbed").where' | grep -c "^core $core, ")" = 3 ]
done
ends noise lost kernels_lost 6
claim "noise: and no core" has noise '.type == "end" and (has("cores_lost") or has("cores_unmeasured") | not)'
claim "noise: nothing else failed" [ "$(grep -c '^not ok' "$work/noise.log")" = 2 ]
# shows NAME STATUS TEXT: slotlog's status, and the end of its last line.
shows() {
    "$build/slotlog" show "$work/$1.log" >"$work/show"
    [ $? -eq "$2" ] && tail -1 "$work/show" | grep -F -- "$3"
}
claim "noise: slotlog takes it for no success" shows noise 1 "; lost, kernels were given up: 6"
claim "noise-sound: a kernel that cannot run here is skipped" grep 'core 1 be.mem.shared.remote .* # SKIP it needs cores of two packages$' \
    "$work/noise-sound.log"
claim "noise-sound: and no loss" shows noise-sound 0 '; complete'
claim "noise: slotlog finds nothing wrong with the log itself" "$build/slotlog" verify "$work/noise.log"

# A core that hangs in one of the last windows of a kernel that is sampled by each series in turn.
run sampled-sound 2 'kernels=cpi.loops cores=1 samples=300'
no_failure sampled-sound
claim "sampled-sound: no core is lost" has sampled-sound '.type == "end" and .reason == "complete" and (has("cores_lost") | not)'
last=$(records sampled-sound 'select(.type == "sampling") | .last_window // 0' | sort -n | tail -n 1)
places=1
[ "${TREE-}" != all ] || places="1 200"
for before in $places; do
    run sampled-$before 2 'kernels=cpi.loops,ret.nop cores=1 samples=300' --fault stuck:1:$((last - before)):nmi
    lost sampled-$before 1 'core 1 did not come back while cpi.loops was sampled'
    claim "sampled-$before: a profile that rests on what is missing is a SKIP with that reason" grep -E \
        '^ok .* core 1 cpi\.loops has a profile by classic # SKIP core 1 did not come back while cpi\.loops was sampled$' \
        "$work/sampled-$before.log"
done

# kernel NAME INSTRUCTION...: with a part for another core of these instructions, which finds the iterations it has done
# in the first word of the arena. The kernel itself counts exactly whatever that other core does.
kernel() {
    name=$1
    shift
    {
        printf '%%include "kernels/kernel.inc"\nKERNEL %s, "a part for another core that does not end well"\n' "$name"
        printf '%s\n' '    ITERATIONS 2000' '    ARENA 4096' '    PAGES 4K' '    EXPECT INST_RETIRED.ANY, n * 2, n * 2' \
            'PREPARE' '    mov qword [rsi], 0' '    ret' 'PARTNER' '.again:' '    inc qword [rsi]' "$@" \
            '    dec rdi' '    jnz .again' '    ret' 'CODE' '.loop:' '    dec rdi' '    jnz .loop' '    ret' 'ENDKERNEL'
    } >"$work/changed/kernels/$name.asm"
}
copy_sources changed
kernel zz.sound '    pause' '    pause' '    pause' '    pause'
kernel zz.trap '    cmp qword [rsi], 100' '    jb .on' '    ud2' '.on:'
kernel zz.hang '.halt:' '    cmp qword [rsi], 100' '    jb .on' '    hlt' '    jmp .halt' '.on:'
printf '%s\n' '%include "kernels/kernel.inc"' 'KERNEL zz.load, "a halt without an end"' '    ITERATIONS 100' \
    '    EXPECT INST_RETIRED.ANY, n, n' 'CODE' '.halt:' '    hlt' '    jmp .halt' 'ENDKERNEL' >"$work/changed/kernels/zz.load.asm"
claim "the image builds with them" build_image changed

run partner-sound 3 'kernels=zz.sound cores=1-2'
no_failure partner-sound
for how in trap:trapped\ in 'hang:did not come back from'; do
    kernel=zz.${how%%:*} ended="${how#*:}"
    name=partner-${how%%:*}
    run "$name" 3 "kernels=$kernel cores=1-2"
    within=$([ "$kernel" = zz.trap ] || echo " within 1 s")
    why="core 2 $ended $kernel$within, beside core 1"
    verdict "$name" "core 2 $kernel runs beside core 1: $why"
    verdict "$name" "core 2 is measured: nothing was counted: $why"
    claim "$name: nothing that core 1 counted beside it is judged" absent "^ok .* core 1 $kernel [^#]*\$" "$work/$name.log"
    claim "$name: the SKIP says why" grep -E "^ok .* core 1 $kernel INST_RETIRED\.ANY.* # SKIP $why\$" \
        "$work/$name.log"
    claim "$name: core 1 is not lost, but the kernel is on it" \
        [ "$(sed -n 's/^not ok [0-9]* - \(core 1 .*\)/\1/p' "$work/$name.log")" = "core 1 measures each kernel to its end, except 1: $kernel" ]
    ends "$name" unmeasured kernels_lost 1
done

# The sibling thread of a core. Two threads wait for it until the second is over: on a slow clock that takes few cycles.
run sibling 2 'kernels=ret.nop,ret.alu sibling=zz.load cores=2-3' --smt --fault slow:100
why='core 3 did not come back from zz.load within 1 s, beside core 2'
verdict sibling "core 3 zz\\.load runs beside core 2: $why"
lost sibling 3 "$why"
claim "sibling: nothing that core 2 counted beside it is judged" absent '^ok .* core 2 ret.nop [^#]*$' "$work/sibling.log"

# A measured core that hangs takes the core beside it along no more than any other.
run measured 3 'kernels=zz.sound cores=1-2' --fault slow:100 --fault stuck:1:"$(records partner-sound 'select(.type == "counts" and
    .core == 1 and .kernel == "zz.sound") | .windows[]' | sort -n | tail -n 1)":nmi
lost measured 1 'core 1 did not come back from zz\.sound within 1 s'
claim "measured: the core beside it is measured afterwards" grep -E '^ok .* core 2 cal\.mixed [^#]*$' "$work/measured.log"
finish
