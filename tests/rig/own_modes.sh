#!/bin/sh
# What a kernel of the user's own does to MXCSR, the x87 control word and flags is put back after each of its calls: the
# next kernel finds them as they were, and nothing that is measured later changes. TAP on standard output.
#   own_modes.sh BUILD
set -u
. tests/boot.sh

# Rounds down, single precision, denormals are zero and flushed, the direction flag, AC, ID and NT set.
cat >"$work/modes.inc" <<'EOF'
        push    0xbfc0
        ldmxcsr [rsp]
        mov     dword [rsp], 0x047f
        fldcw   [rsp]
        fldpi
        mov     dword [rsp], 0x00244602
        popfq
        std
EOF
# `looked` counts an instruction more in each iteration for each of them that is otherwise than at a reset.
cat >"$work/look.asm" <<'EOF'
        bits    64
again:  sub     rsp, 32
        stmxcsr [rsp]
        fnstenv [rsp + 4]
        pushfq
        pop     rax
        cmp     dword [rsp], 0x1f80
        je      .rounds
        nop
.rounds:
        cmp     word [rsp + 4], 0x037f
        je      .control
        nop
.control:
        cmp     word [rsp + 12], 0xffff         ; tags: every register is empty
        je      .tags
        nop
.tags:
        test    eax, 0x00244400                 ; ID, AC, NT, DF
        jz      .flags
        nop
.flags:
        add     rsp, 32
        dec     rdi
        jnz     again
        ret
EOF
# own NAME BODY EXPECTATION: a kernel of the stick in $kernels, in which modes.inc is $modes. It has so many iterations that
# one mispredicted branch, which hangs on the image's layout, moves no number by 0.01.
own() {
    printf '%s\n' "$2" >"$work/$1.asm"
    nasm -f bin -I "$modes/" -o "$kernels/$1.bin" "$work/$1.asm"
    printf 'name own.%s\nn 5000\ndeadline 500\nexpect INST_RETIRED.ANY, %s\n' "$1" "$3" >"$kernels/$1.exp"
}
# kernels_on NAME: sound ones that look, each behind one that leaves modes behind: that returns, traps, or is ended late.
kernels_on() {
    stick "$1"
    kernels=$work/$1.esp/slotscope/kernels
    mkdir "$kernels"
    own a_modes "$sets
        ret" 'n * 2, n * 3'
    own c_ended "$sets
        ud2" '1, 1000'
    own e_late "$sets
endless: jmp    endless" '1, 1000'
    for place in b d f; do
        own ${place}_look "$(cat "$work/look.asm")" 'n * 16, n * 16'
    done
}
sets='        bits    64
again:  dec     rdi
        jnz     again
        %include "modes.inc"'
modes=$work
kernels_on modes
# The same kernels without the modes: else nothing of the run is to be otherwise.
modes=$work/none
mkdir "$modes"
: >"$modes/modes.inc"
kernels_on without

# Two rounds: the built-in kernels of the second come behind the own ones of the first. Of three repeats the median is
# taken: of one, a single misprediction at a loop's end is another result.
arguments='kernels=own.*,be.mem.l1,ret.nop,be.core.chain levels=1 repeats=3 loop=2'
boot modes --cpu skylakex --cores 2 --args "$arguments"
boot without --cpu skylakex --cores 2 --args "$arguments"
in_order modes
in_order without
ended_kernels() {
    [ "$(records "$1" 'select(.type == "error" and .trial != null) | "\(.core) \(.kernel)"' | sort -u | paste -sd' ')" = \
        "0 own.c_ended 0 own.e_late 1 own.c_ended 1 own.e_late" ]
}
claim "modes: the kernels that are to be ended are" ended_kernels modes
claim "without: so are the same ones there" ended_kernels without
for kernel in b d f; do
    claim "modes: behind it own.${kernel}_look finds everything as at a reset" \
        [ "$(grep -c "^ok .* own.${kernel}_look INST_RETIRED.ANY 80000 in" "$work/modes.log")" -eq 2 ]
done
# Outcome, text and number of each verdict that does not depend on predictions, and what each kernel executes.
verdicts() {
    grep -E '^(not )?ok [0-9]+ - core [0-9]+ (be\.|ret\.|own\.[bdf]_)' "$work/$1.log" |
        grep -E 'RETIRED|tma_retiring' | sed 's/ok [0-9]* - /ok /'
}
executed() {
    records "$1" 'select(.type == "kernel" and (.kernel | test("^own.[bdf]_|^be|^ret"))) | . as $k | .per_iterations
        | to_entries[] | select(.key | test("^INST_RETIRED.ANY$|^BR_INST|^MEM_INST|RETIRE_SLOTS"))
        | "\($k.core) \($k.round) \($k.kernel) \(.key) \(.value.min) \(.value.max)"'
}
unchanged() {
    "$1" modes >"$work/with" && "$1" without >"$work/plain" && [ "$(wc -l <"$work/plain")" -ge "$2" ] &&
        diff "$work/plain" "$work/with"
}
claim "modes: no later verdict has another outcome or number" unchanged verdicts 12
claim "modes: nothing executes anything else" unchanged executed 20
unsaid() { records "$1" 'select(.type == "round" and .round == 2) | "\(.results) \(.unsaid) \(.fail)"'; }
claim "modes: in round 2 every result but those that were ended is as in round 1" sh -c "set -- $(unsaid modes); [ \$1 -eq \$((\$2 + 4)) ] && [ \$3 -eq 4 ]"
claim "modes: every register holds its old value" [ "$(grep -c 'registers put back, 0 of them differ' "$work/modes.log")" -eq 2 ]
finish
