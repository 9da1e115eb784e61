; Hypothesis: the callers of a function decide how often it runs, the function what each of its
; instructions costs. .leaf is called from three places and .square from two, one of them indirect,
; so no block of theirs belongs to one caller. All returns are predicted correctly.

%include "kernels/kernel.inc"

KERNEL cpi.calls, "functions that are called from several places"
    ITERATIONS  200
    EXPECT  INST_RETIRED.ANY,               n * 38,         n * 38
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 15,         n * 15
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 13,         n * 13
    EXPECT  BR_INST_RETIRED.NEAR_CALL,      n * 6,          n * 6
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n * 6,          n * 6
CODE 8
BLOCK .entry, 1
    mov   eax, 1
    lea   r9, [.square]
BLOCK .loop, n
    inc   rcx
    call  .outer
BLOCK .after_outer, n
    add   rax, rcx
    xor   edx, edx
    call  .leaf
BLOCK .after_leaf, n
    lea   rbx, [rax + rdx]
.indirect:
    call  r9
TARGETS .indirect, .square
BLOCK .after_square, n
    dec   rdi
    jnz   .loop                             ; taken, except the last time
BLOCK .leave, 1
    ret
    align 16, db 0xcc

BLOCK .outer, n
    add   rdx, rcx
    call  .leaf
BLOCK .outer_again, n
    sub   rdx, rax
    shr   rdx, 3
    call  .leaf
BLOCK .outer_square, n
    xor   rax, rdx
    call  .square
BLOCK .outer_done, n
    ret
    align 16, db 0xcc

BLOCK .leaf, n * 3
    inc   r10
    lea   rax, [rax + rax * 2]
    ret
    align 16, db 0xcc

BLOCK .square, n * 2
    imul  rax, rax
    test  r10, r10
    jz    .square_done                      ; not taken: .leaf counts up
BLOCK .square_more, n * 2
    or    rax, 5
    imul  rax, r10
BLOCK .square_done, n * 2
    ret
ENDKERNEL
