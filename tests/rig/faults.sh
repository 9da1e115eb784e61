#!/bin/sh
# Faults on demand: whatever goes wrong, the image ends in order, says what it was, and publishes as good only
# what is. TAP on standard output.
#   faults.sh BUILD
set -u
. tests/boot.sh

# The self-check alone, with nodes of level 1: what these faults hit does not depend on how many nodes there are.
self='cal.* levels=1 repeats=1 warmup=0'
# run NAME CORES KERNELS OPTION...
run() {
    name=$1 cores=$2 arguments=$3
    shift 3
    boot "$name" --cpu skylakex --cores "$cores" --args "kernels=$arguments" "$@"
}
# names NAME CONDITION: a record says what happened.
names() { claim "$1: the log names it" has "$1" "$2"; }
# fails_unmeasured NAME CORE COUNT REASON END: so many cores measured nothing, this one because of REASON, a pattern; the
# end record says END.
fails_unmeasured() {
    [ "$(grep -cE '^not ok [0-9]+ - (core [0-9]+|a core) is measured: ' "$work/$1.log")" = "$3" ] &&
        grep -E "^not ok [0-9]+ - $2 is measured: $4\$" "$work/$1.log" && has "$1" ".type == \"end\" and .reason == \"$5\""
}
damaged() { ! "$build/tools/check_log" "$1"; }
# counts NAME: what was counted of every kernel.
counts() {
    records "$1" 'select(.type == "counts" and (.events | has("INST_RETIRED.ANY"))) |
        "\(.core) \(.kernel) \(.iterations) \(.events["INST_RETIRED.ANY"])"' | sort
}
unchanged_counts() { ! counts "$1" | comm -13 "$work/sound.counts" - | grep .; }

run sound 1 "$self"
in_order sound
counts sound >"$work/sound.counts"

# Register accesses. The first ones, of registers that every processor in 64-bit mode has (IA32_APIC_BASE,
# IA32_EFER), are made before the image has exception handlers of its own: the firmware's handlers end that run.
named=0
for k in 1 3 13 500 1300 1600; do
    run msr-$k 1 "$self" --fault msr:$k
    if grep -q "under the firmware's handlers" "$work/msr-$k.err"; then
        claim "msr:$k: only what comes before own handlers ends under the firmware's" test $k -le 2
        continue
    fi
    in_order msr-$k
    claim "msr:$k: what was counted is right" unchanged_counts msr-$k
    if has msr-$k '.type == "error" and (.where | test("^core 0, kernel cal\\.[a-z]*, (IA32|MSR)_"))' >/dev/null; then
        named=$((named + 1))
    fi
done
claim "msr: a register that faults in a measurement is named" test $named -ge 2
claim "msr: and none for a counter's index" [ "$(cat "$work"/msr-*.log | grep -cE 'RDPMC 0x[1-9a-f][0-9a-f]{2}\b')" = 0 ]

# Firmware calls, by their names: the loaded image, a region for stacks, the memory of the run, twice the stick, its
# folder, the log file, a write of it, and the memory map with which taking over begins.
# Options and stick are lost with the loaded image: the run would be the default one, but for ESC.
for k in handle_protocol:1 get_memory_map:1 allocate_pages:4 handle_protocol:2 open_volume:1 file_open:1 file_open:5 \
    file_write:4 get_memory_map:5; do
    keys=
    [ $k != handle_protocol:1 ] || keys=$(printf '\033')
    run uefi-$k 1 "$self" --fault uefi:$k ${keys:+--keys "$keys"}
    claim "uefi:$k: the image ends the run itself" ended uefi-$k
    claim "uefi:$k: no verdict on a kernel fails" absent '^not ok [0-9]+ - core [0-9]+ [a-z]+\.' "$work/uefi-$k.log"
    case $k in
        get_memory_map:1) ;;
        handle_protocol:2 | open_volume:1 | file_open:5 | file_write:4)
            claim "uefi:$k: it is done again, and the log on the stick is whole" whole \
                "$work/uefi-$k.esp/slotscope/slotscope.log" ;;
        *) names uefi-$k '.type == "error"' ;;
    esac
done
claim "uefi:allocate_pages:4: a run without memory is a failed run" fails_unmeasured uefi-allocate_pages:4 "a core" 1 \
    "no memory for the run" "no memory"
nothing_measured uefi-get_memory_map:5
claim "uefi:get_memory_map:5: the core that measured nothing is a failure with its reason" \
    fails_unmeasured uefi-get_memory_map:5 "core 0" 1 "nothing was counted: the processor could not be taken over" unmeasured

# Without boot services the log would have the serial line only.
run mute 1 "$self exclusive=yes serial=none end=return"
cp "$work/mute.esp/slotscope/slotscope.log" "$work/mute.log"
claim "mute: the log on the stick is whole" whole "$work/mute.log"
claim "mute: it says why boot services stay" \
    has mute '.type == "error" and (tostring | test("the log would go nowhere"))'

# A run whose log nothing took did not do what it was for.
run unkept 1 "$self serial=none end=return" --fault stick:full
claim "unkept: the firmware is told that a run without a log was no good" [ "$(cat "$work/unkept.status")" = 4 ]
claim "mute: with room on the stick it was" [ "$(cat "$work/mute.status")" = 0 ]

run ap 3 "$self" --fault ap:1
in_order ap
names ap '.type == "error" and (.where | test("core 1, APIC id 1")) and (.expected | test("answers"))'
claim "ap: nothing is said of the silent core" has_no ap '.type == ("counts", "topdown", "cpi") and .core == 1'
claim "ap: that core measured nothing, and the run is not complete" \
    fails_unmeasured ap "core 1" 1 "nothing was counted: no answer within 1 s of its second start" unmeasured
claim "ap: one SKIP stands for all its kernels" [ "$(grep -c '^ok .*core 1 .*# SKIP' "$work/ap.log")" = 1 ]
claim "ap: the others are measured" grep -E '^ok .*core 2 cal\.' "$work/ap.log"

# Cores that hang in the middle of cal.mixed, in its first window: one is freed by an NMI, one by
# an INIT, one by nothing.
within=$(records sound 'select(.type == "counts" and .kernel == "cal.mixed") | .window' | head -n 1)
hung="--fault stuck:1:$within:nmi --fault stuck:2:$within:init --fault stuck:3:$within:never"
# given_up NAME LEAST MOST: the run took so many seconds.
given_up() {
    in_order "$1"
    claim "$1: the end record says how many cores were lost" has "$1" '.type == "end" and .reason == "lost" and .cores_lost == 3'
    claim "$1: the run took $2 to $3 s: no kernel waits for a core that was given up" \
        has "$1" ".type == \"end\" and .duration_us > $2 * 1e6 and .duration_us < $3 * 1e6"
    claim "$1: each core is given up once, with how it was stopped" [ "$(records "$1" 'select(.type == "error" and
        (.where | test("APIC id"))) | "\(.where): \(.what)"')" = "core 1, APIC id 1: its work did not end in time
core 2, APIC id 2: its work did not end in time, nor at an NMI: an INIT stopped it
core 3, APIC id 3: its work did not end in time, nor at an NMI or INIT: it may disturb what follows" ]
    for core in 1 2 3; do
        claim "$1: core $core has a verdict on the kernel, and one SKIP for the rest" [ "$(grep -E "^(not )?ok [0-9]+ - core $core (cal.mixed|all|ret.nop)" "$work/$1.log" |
            sed 's/ [0-9]* - / - /')" = "not ok - core $core cal.mixed runs: core $core did not come back from cal.mixed within 1 s
ok - core $core all verdicts from cal.mixed on # SKIP core $core did not come back from cal.mixed within 1 s" ]
        claim "$1: what core $core had measured is there, and no more" same_until cal.mixed "$1" $core
    done
    claim "$1: the core that an NMI ended has its registers back" \
        grep -E '^# core 1: [1-9][0-9]* registers put back, 0 of them differ$' "$work/$1.log"
    claim "$1: those of the others could not be put back, and the log says so" \
        [ "$(grep -cE '^# core [23]: [1-9][0-9]* registers could not be put back$' "$work/$1.log")" = 2 ]
}
# The self-check runs in the order of its kernels' names.
same_until() {
    counts "$2" | awk -v until="$1" '$1 == 0 && $2 < until { print $2, $3, $4 }' >"$work/until.0"
    counts "$2" | awk -v core="$3" '$1 == core { print $2, $3, $4 }' >"$work/until.$3"
    [ -s "$work/until.0" ] && diff "$work/until.0" "$work/until.$3"
}
# stands NAME CORE CONDITION: of the rig's line about that processor, in microseconds.
stands() {
    claim "$1: processor $2: $3" jq -nce "inputs | select(.processor == $2 and $3)" "$work/$1.processors"
}
# A core that was given up is halted with interrupts off: one that waits for a SIPI would answer no SMI. For 10 ms it
# does, between INIT and SIPI. Nor does one at the end, where the machine is switched off.
run hung 4 "ret.nop levels=1 repeats=1 warmup=0 timeout=1 log=none" $hung --processors "$work/hung.processors"
given_up hung 5.2 5.5
stands hung 0 '.halted_off == 0'
stands hung 1 '.halted_off > 4e6 and .wait_for_sipi == 0 and .stands == "halted_off"'
stands hung 2 '.halted_off > 2e6 and .wait_for_sipi < 15000 and .stands == "halted_off"'
stands hung 3 '.stands == "stuck" and .halted_off == 0'
# All at once: one deadline, a second more for the core that watches the boot processor, a second for the NMI to act.
run hung-together 4 "ret.nop levels=1 repeats=1 warmup=0 timeout=1 log=none parallel=yes" $hung --processors "$work/hung-together.processors"
given_up hung-together 3.2 3.5
stands hung-together 1 '.halted_off > 1e6 and .wait_for_sipi < 1000'
stands hung-together 2 '.halted_off > 190000 and .wait_for_sipi < 15000'
stands hung-together 3 '.stands == "stuck" and .halted_off == 0'
# From a page that is borrowed once more, and whole again when the firmware runs.
run hung-borrowed 2 "cal.mixed levels=1 repeats=1 warmup=0 timeout=1 log=none" --fault stuck:1:$within:init --low-used \
    --processors "$work/hung-borrowed.processors"
in_order hung-borrowed
stands hung-borrowed 1 '.halted_off > 0 and .wait_for_sipi < 15000 and .starts == 2'

run ap-late 2 "cal.instructions levels=1 repeats=1 warmup=0" --fault ap-late:1
in_order ap-late
no_error ap-late
claim "ap-late: a processor that misses its first start is started again, and measured" \
    grep -E '^ok .*core 1 cal\.instructions INST_RETIRED' "$work/ap-late.log"

# An SMI every 33,333 cycles; the windows take some 290,000.
run smi 1 "$self" --fault smi:30
in_order smi
names smi '.type == "guard" and .discarded.smi > 0'
no_failure smi
claim "smi: no disturbed window is counted" unchanged_counts smi

# A core that is hot when a kernel begins waits until its clock is steady again: only some kernels lose windows.
# The windows of be.mem.dram are long: some are hot, whatever the image's layout.
run throttle 1 "be.core.loads,be.core.port*,be.mem.alias,be.mem.d*,be.mem.st* levels=1" --fault throttle
in_order throttle
names throttle '.type == "guard" and .discarded.thermal > 0'
claim "throttle: what was logged before a window hides what comes in it, and the record says so" \
    has throttle '.type == "guard" and .logged == ["thermal", "package_thermal"]'
claim "smi: a core that was never throttled has no such record" has_no smi '.type == "guard" and .logged'
claim "throttle: no verdict on a kernel fails" absent '^not ok [0-9]+ - core [0-9]+ [a-z]+\.' "$work/throttle.log"
errors() { jq -nc '[inputs | select(.type == "error" and (.where | test("guard thermal")))] | length' "$work/throttle.lines"; }
claim "throttle: kernels that were given up are counted: $(errors)" has throttle \
    ".type == \"end\" and (.kernels_lost // 0) == $(errors)"

for kind in garble drop; do
    run serial-$kind 1 "$self" --fault serial:$kind
    claim "serial-$kind: status 0" grep -x 0 "$work/serial-$kind.status"
    claim "serial-$kind: the damage shows in the received log" damaged "$work/serial-$kind.log"
    claim "serial-$kind: the log on the stick is whole" whole "$work/serial-$kind.esp/slotscope/slotscope.log"
    claim "serial-$kind: and is the sound run's" same "$work/sound.esp/slotscope/slotscope.log" \
        "$work/serial-$kind.esp/slotscope/slotscope.log"
done
# A transmitter that stalls with a FIFO half full: 1000 is no multiple of its 16 bytes.
run serial-stall 1 "$self" --fault uart:stall:1:1000
in_order serial-stall
# A line that stalls moves the time at which later windows begin, and what their edges count by a little.
verdicts() { sed -n 's/ -\{0,1\}[0-9.]* in \[/ in [/; /^ok/p' "$work/$1.log"; }
verdicts sound >"$work/sound.ok"
same_verdicts() { verdicts "$1" | diff "$work/sound.ok" -; }
claim "serial-stall: its verdicts are the sound run's" same_verdicts serial-stall
for kind in full error; do
    run stick-$kind 1 "$self" --fault stick:$kind
    in_order stick-$kind
    names stick-$kind '.type == "error" and (tostring | test("log file cannot be written"))'
    no_failure stick-$kind
done

# A count that lies: the self-check refuses the event. What rests on it is not judged, what does not is.
for lie in BR_INST_RETIRED.ALL_BRANCHES:10:1.100 MEM_INST_RETIRED.ALL_LOADS:-1:0.990; do
    event=${lie%%:*} ratio=${lie##*:}
    name=lie-$event
    run "$name" 1 "ret.nop,be.mem.l2 levels=1 repeats=1" --fault "count:${lie%:*}"
    in_order "$name"
    claim "$name: the self-check fails, wrong each time" \
        grep -E "^not ok .*core 0 cal\..* $event .*, wrong: .* in 4 measurements$" "$work/$name.log"
    claim "$name: the event is refused elsewhere" \
        grep -E "^ok .* core 0 be\.mem\.l2 $event .* # SKIP $event counts $ratio of what it should$" "$work/$name.log"
    claim "$name: no other verdict fails" absent "^not ok .*core 0 (ret|be)\." "$work/$name.log"
    claim "$name: verdicts that do not rest on it are judged" \
        grep -E '^ok .* core 0 ret\.nop tma_retiring [0-9.]+ in [^#]*$' "$work/$name.log"
    claim "$name: the core is trusted" has_no "$name" '.trusted == false'
done
# What counts anew each time is noise.
run noise 1 "ret.nop,be.mem.l2 levels=1 repeats=1" --fault noise:MEM_INST_RETIRED.ALL_LOADS:3
claim "noise: the self-check says so" \
    grep -E '^not ok .*core 0 cal\.loads MEM_INST_RETIRED\.ALL_LOADS .*, noisy: [0-9]+\.\.[0-9]+ in 4 measurements$' \
    "$work/noise.log"
claim "noise: the record says so" \
    has noise '.type == "exactness" and .events["MEM_INST_RETIRED.ALL_LOADS"].self_check == "noisy"'
claim "noise: no other verdict fails" absent '^not ok .*core 0 (ret|be)\.' "$work/noise.log"
# A counter that counts otherwise than the others, or that somebody else keeps, is not used.
for off in 3:-100 0:7; do
    counter=${off%:*}
    name=counter-$counter
    run "$name" 1 "be.mem.l2 repeats=1 warmup=0" --fault "counter:$off"
    in_order "$name"
    claim "$name: it is named, and nothing else fails" [ "$(grep -c '^not ok' "$work/$name.log")" -eq 1 ]
    claim "$name: and is not used" grep -E "^not ok 1 - core 0 general counter $counter counts .*: it is not used$" \
        "$work/$name.log"
    claim "$name: the core's record names it" has "$name" ".type == \"core\" and .counters_off == [$counter]"
done
# Counter 3 counts wrongly while microcode keeps it, and is not used; then all others agree.
run tsx 1 "ret.nop levels=1" --fault tsx
in_order tsx
no_failure tsx
names tsx '.type == "core" and .counters_kept == [3] and (has("counters_off") | not)'
claim "tsx: the other counters agree" grep -E '^ok 1 - core 0 counters agree: 7 general counters, fixed counters 0, 1, 2$' "$work/tsx.log"
# Everything rests on instructions: a core that miscounts them is not trusted.
run untrusted 1 "ret.nop,exact.cycles levels=1" --fault fixed:0:10
in_order untrusted
claim "untrusted: its first counts are wrong by about the same" grep -E \
    '^not ok 1 - core 0 fixed counter 0 counts .*, wrong: ([0-9]+\.\.[0-9]+|the same) in 3 repeats$' "$work/untrusted.log"
claim "untrusted: the self-check fails, wrong each time" \
    grep -E '^not ok .*core 0 cal\..* INST_RETIRED\.ANY .*, wrong: .* in 4 measurements$' "$work/untrusted.log"
claim "untrusted: no other verdict is given" absent '^(not )?ok .* core 0 (ret|exact)\.[^#]*$' "$work/untrusted.log"
claim "untrusted: the records say so" has untrusted '.type == "counts" and .trusted == false'
# So does it on the other fixed counters: each is compared with the same event on general counters. How many cycles that
# is moves with the layout of the image; P % of what the others count does not, but for the rounding of what both count
# to whole cycles, and of the middle of the range to a half.
# off_by COUNTER UNIT P: "ratio" as the log has it; nothing where the counter is not off by so much.
off_by() {
    sed -n "s/^not ok 1 - core 0 fixed counter $1 counts \([0-9]*\) $2 in \[\([0-9]*\), \([0-9]*\)\].*/\1 \2 \3/p" "$work/$name.log" |
        awk -v percent="$3" '{ others = ($2 + $3) / 2; off = $1 - others * (100 + percent) / 100 }
            off > -1.5 && off < 1.5 { printf "%.3f", $1 / others }'
}
for off in skylakex:1:-10:cycles icelakex:3:10:slots; do
    IFS=: read -r cpu counter percent unit <<END
$off
END
    name=fixed-$counter
    boot $name --cpu $cpu --cores 1 --args "kernels=ret.nop,be.core.chain levels=1" --fault fixed:$counter:$percent
    in_order $name
    ratio=$(off_by "$counter" "$unit" "$percent")
    claim "$name: that is found, by $percent %" [ -n "$ratio" ]
    claim "$name: which all other verdicts name that have a value" [ "$(sed -n 's/^ok .* core 0 [rb]e[.t].*# SKIP //p' "$work/$name.log" |
        grep -v ^division | sort -u)" = "core 0 is untrusted: fixed counter $counter counts $ratio of what most counters do" ]
    claim "$name: none is given" absent '^(not )?ok .* core 0 (ret|be)\.[^#]*$' "$work/$name.log"
    claim "$name: the records say so" has_no $name '.type == ("counts", "topdown", "cpi") and .trusted != false'
done

# Reference cycles are held against the core's clock: 10 % more are found, and what rests on them alone is missing.
run reference 1 "be.core.chain levels=1 repeats=1" --fault fixed:2:10
in_order reference
claim "fixed-2: that is found" \
    grep -E '^not ok 1 - core 0 fixed counter 2 counts [0-9]+ reference cycles in \[.*: it is not used$' "$work/reference.log"
claim "fixed-2: nothing else fails" [ "$(grep -c '^not ok' "$work/reference.log")" -eq 1 ]
names reference '.type == "core" and .fixed_counters_off == [2]'
claim "fixed-2: no record has reference cycles" has_no reference \
    '.type == "cpi" and .reference_cycles_per_iteration != null or .type == "counts" and .events["CPU_CLK_UNHALTED.REF_TSC"] != null'
claim "fixed-2: what does not rest on them is judged" grep -E '^ok .* core 0 be\.core\.chain tma_backend_bound 0\.' "$work/reference.log"

# What is wrong with its yardstick says nothing of it, and where its register faults it is left out, and no more is.
claim "fixed-1: nothing is said of fixed counter 2" absent 'fixed counter 2' "$work/fixed-1.log"
run gone-2 1 "be.core.chain levels=1 repeats=1" --fault gone:0x30b
in_order gone-2
no_failure gone-2
names gone-2 '.type == "error" and (.where | test("IA32_FIXED_CTR2"))'
names gone-2 '.type == "core" and .fixed_counters_off == [2]'
claim "gone-2: all else is judged" grep -E '^ok .* core 0 be\.core\.chain tma_backend_bound 0\.' "$work/gone-2.log"
boot uncore --cpu nehalem --cores 1 --args "kernels=ret.nop levels=1"
claim "uncore: before version 4 of performance monitoring 392H is no IA32_PERF_GLOBAL_INUSE" has uncore '.type == "settings" and .registers.IA32_PERF_GLOBAL_INUSE == null'

# A register that does not exist costs the passes that write it, and no others: off-core responses alone are missing.
run gone 1 "be.mem.l2 levels=6 repeats=1 warmup=0" --fault gone:0x1a6
in_order gone
no_failure gone
names gone '.type == "error" and .what == "reading a register to keep its value" and
    .where == "core 0, kernel be.mem.l2, MSR_OFFCORE_RSP_0"'
claim "gone: what rests on that register is a SKIP with the reason" \
    has gone '.type == "topdown" and .kernel == "be.mem.l2" and (.reasons | tostring |
    test("OFFCORE_RESPONSE[^,]* not measured: reading a register to keep its value"))'
claim "gone: all else is measured" grep -E '^ok .* core 0 be\.mem\.l2 tma_l2_bound 0\.[0-9]+ is the largest' "$work/gone.log"

# Memory events of Ivy Bridge also count in the other thread's counters: with both threads counting they are missing.
boot leak --cpu ivybridge --cores 1 --smt --args 'kernels=ret.nop parallel=yes levels=1 repeats=1 events=MEM_UOPS_RETIRED.ALL_LOADS'
in_order leak
no_failure leak
for core in 0 1; do
    claim "leak: thread $core has no memory event, with the reason" has leak ".type == \"kernel\" and .core == $core and
        .kernel == \"ret.nop\" and (.missing[\"MEM_UOPS_RETIRED.ALL_LOADS\"] | strings | test(\"other thread\"))"
done
boot leak-core --cpu ivybridge --cores 1 --smt --args 'kernels=ret.nop nodes=tma_l3_bound sibling=ret.nop repeats=1 warmup=0'
no_failure leak-core
claim "leak-core: a thread that counts alone lacks no event for that" \
    has_no leak-core '.type == "kernel" and .scope == null and (.missing | tostring | test("other thread"))'
claim "leak-core: the core as a whole says why it has no node" has leak-core '.type == "topdown" and .scope == "core" and
    (.reasons.tma_l3_bound // "" | test("it would count in the other thread"))'

# Two processors of one kind, of which one states fewer counters, no full-width writes and no PERF_METRICS.
boot lesser --cpu icelakex --cores 2 --args 'kernels=ret.nop cores=all levels=2 repeats=1 warmup=1' --fault lesser:1
in_order lesser
no_failure lesser
no_error lesser
claim "lesser: each core is what it states" has lesser '.type == "core" and .core == 0 and .general_counters == 8 and .perf_metrics'
claim "lesser: the second one, too" has lesser '.type == "core" and .core == 1 and .general_counters == 6 and (.perf_metrics | not)'
claim "lesser: it is planned by its own counters: its nodes are formulas over them" has lesser '.type == "topdown" and .core == 1 and .method == "formula"'

# Whether a core rounds bytes of PERF_METRICS down, up or to the nearest, no verdict fails.
for way in down up; do
    boot metrics-$way --cpu icelakex --cores 1 --args "kernels=fe.icache,be.core.div,ret.nop both=yes repeats=1 warmup=1" \
        --fault metrics:$way
    in_order metrics-$way
    no_failure metrics-$way
done

run several 2 "$self" --fault stick:error --fault smi:10 --fault serial:garble
claim "several faults at once: status 0" grep -x 0 "$work/several.status"
claim "several faults at once: the log names what happened to the stick" \
    grep -a 'log file cannot be written' "$work/several.log"
claim "several faults at once: and the windows that an SMI disturbed" \
    grep -aE '"discarded":\{"smi":[1-9]' "$work/several.log"

for bad in gone: gone:x gone:1x metrics: metrics:nearest msr:0 msr:x uefi: ap:0 ap:9999 ap-late:0 lesser:x stuck:1:40 stuck:0:1:nmi \
    stuck:1:0:nmi stuck:1:1:smi smi:0 smi:1000000 smi:1: smi:1:0 smi:1000:1 exits: exits:0 wrongpath:0 throttle:1 serial:loud stick: \
    count:A count:A:0 count:A:-101 noise:A:0 noise:A:-5 counter:3 counter:x:1 counter:10:1 counter:3:-101 fixed:7:5 lies:0-3 lies:5-4 lies:5 stick:room:0 nothing; do
    claim "--fault $bad is refused" refuses --cpu skylakex --cores 2 --fault $bad
done
for bad in ap:2 stuck:2:1:nmi count:NO.SUCH:5 noise:NO.SUCH:5 counter:8:5 fixed:3:5 metrics:up metrics:down lies:1-2; do
    claim "--fault $bad does not fit the machine" refuses --cpu skylakex --cores 2 --fault $bad
done
finish
