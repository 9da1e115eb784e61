#!/bin/sh
# Broken kernels of the user's own (tests/rig/own/), on four cores and on one: each is ended, with a record that
# says by what and where, every core goes on, and what the sound ones among them count is what they count without
# them. TAP on standard output.
#   own_broken.sh BUILD
set -u
. tests/boot.sh
folder=tests/rig/own

# How each ends: a pattern for the record's text.
expected() {
    case $1 in
    bp | off_the_end) echo '#BP' ;;
    db) echo '#DB' ;;
    de*) echo '#DE' ;;
    gp*) echo '#GP' ;;
    pf_jump) echo '#PF outside of its code, at 0x100000' ;;
    pf_above_4k) echo '#PF at byte 7 of its code: it wrote to 0x[0-9a-f]*[02468ace]01000$' ;;
    pf_null | ring0_null) echo '#PF at byte [0-9]+ of its code: it read from 0x0' ;;
    pf* | ring0_window | ring0_stack) echo '#PF at byte [0-9]+ of its code: it wrote to 0x' ;;
    ss*) echo '#(SS|GP)' ;; # the emulator library calls it #GP
    ud* | ring0_ud) echo '#UD at byte' ;;
    loop* | ring0_loop) echo 'no end within 200 us, last at byte' ;;
    return_wild) echo '#PF outside of its code, at 0x100000' ;;
    return_* | ring0_return) echo 'it returned with rsp 0x[0-9a-f]*8, called with 0x[0-9a-f]*0$' ;;
    esac
}
# kernels_on NAME: all of them on NAME's stick.
kernels_on() {
    stick "$1"
    mkdir "$work/$1.esp/slotscope/kernels"
    for file in "$folder"/*.asm; do
        kernel=$(basename "$file" .asm)
        nasm -f bin -o "$work/$1.esp/slotscope/kernels/$kernel.bin" "$file" || return 1
        printf 'name own.%s\nn 50\nbuffer 4096\ndeadline 200\nexpect INST_RETIRED.ANY, 1, 1000\n' "$kernel" \
            >"$work/$1.esp/slotscope/kernels/$kernel.exp"
        [ "${kernel%_4k}" = "$kernel" ] || echo 'pages 4K' >>"$work/$1.esp/slotscope/kernels/$kernel.exp"
    done
}
# "CORE KERNEL TRIAL WHAT" of each that was ended
ends() { records "$1" 'select(.type == "error" and .trial != null) | "\(.core) \(.kernel) \(.trial) \(.what)"'; }
# each_once NAME CORES: every broken kernel is ended once on each core, as it must be, in a trial unless it breaks in
# ring 0 alone; and nothing else is.
each_once() {
    ends "$1" >"$work/ends"
    wrong=0
    for core in $(seq 0 $(($2 - 1))); do
        for kernel in $broken; do
            trial=true
            [ "${kernel#ring0_}" = "$kernel" ] || trial=false
            grep -Eq "^$core own\.$kernel $trial an own kernel was ended: .*$(expected "$kernel")" "$work/ends" && continue
            echo "core $core $kernel: $(grep "^$core own\.$kernel " "$work/ends")"
            wrong=1
        done
    done
    [ $wrong = 0 ] && [ "$(wc -l <"$work/ends")" -eq $(($2 * $(echo "$broken" | wc -w))) ]
}
# What does not depend on predictions: outcome of each verdict of the sound kernels, and what they execute.
outcomes() { grep -E '^(not )?ok [0-9]+ - core [0-9]+ (own\.sound_|be\.)' "$work/$1.log" | sed 's/ok [0-9]* /ok /; s/ -\{0,1\}[0-9]\{1,\}\(\.[0-9]*\)\{0,1\}\b.*//'; }
executed() {
    records "$1" 'select(.type == "kernel" and (.kernel | test("^own.sound_|^be"))) | . as $k | .per_iterations
        | to_entries[] | select(.key | test("^INST_RETIRED.ANY$|^BR_INST|^MEM_INST|RETIRE_SLOTS"))
        | "\($k.core) \($k.kernel) \(.key) \(.value.min) \(.value.max)"'
}
unchanged() {
    "$1" "$2" >"$work/with" && "$1" "$3" >"$work/without" && [ "$(wc -l <"$work/without")" -ge "$4" ] &&
        diff "$work/without" "$work/with"
}

broken=$(basename -a "$folder"/*.asm | sed 's/\.asm$//' | grep -v '^sound_')
claim "there are at least 30 broken kernels" [ "$(echo "$broken" | wc -w)" -ge 30 ]
for cores in 1 4; do
    run=$cores-cores
    kernels_on "$run"
    cp -r "$work/$run.esp" "$work/$run-sound.esp"
    boot "$run" --cpu skylakex --cores $cores --args "kernels=own.*,be.mem.l1 levels=1 repeats=1"
    boot "$run-sound" --cpu skylakex --cores $cores --args "kernels=own.sound_*,be.mem.l1 levels=1 repeats=1"
    in_order "$run"
    claim "$run: each broken kernel is ended on each core, as it must be, and no other" each_once "$run" $cores
    claim "$run: a verdict says so of each" [ "$(grep -c '^not ok .* own\.[a-z0-9_]* runs: ' "$work/$run.log")" -eq \
        $((cores * $(echo "$broken" | wc -w))) ]
    claim "$run: nothing else fails" [ "$(grep '^not ok' "$work/$run.log" | grep -vcE ' own\.[a-z0-9_]* runs: | measures each kernel to its end')" -eq 0 ]
    claim "$run: no core is lost, but these kernels" has "$run" '.type == "end" and .reason == "lost" and
        .cores_lost == null and .kernels_lost == '$((cores * $(echo "$broken" | wc -w)))
    claim "$run: every register holds its old value" [ "$(grep -c 'registers put back, 0 of them differ' "$work/$run.log")" -eq $cores ]
    no_error "$run-sound"
    claim "$run: no verdict of a sound kernel has another outcome than without the broken ones" \
        unchanged outcomes "$run" "$run-sound" $((cores * 8))
    claim "$run: none executes anything else" unchanged executed "$run" "$run-sound" $((cores * 8))
done
finish
