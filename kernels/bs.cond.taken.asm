; Hypothesis: a branch on a random number that is taken once in four times is best predicted never
; taken, so the mispredicted branches are the taken ones. As in bs.coinflip each toss depends on the
; one before, and the sequence continues from window to window. Both sides have the same number of
; instructions.

%include "kernels/kernel.inc"

KERNEL bs.cond.taken, "branch that is taken once in four tosses"
    ITERATIONS  3500
    ARENA       4096
    LEAF        tma_cond_tk_mispredicts | tma_branch_mispredicts
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 7,          n * 7
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 0.2,        n * 0.4
    EXPECT  BR_MISP_RETIRED.COND_TAKEN,     n * 0.17,       n * 0.3
    EXPECT  tma_bad_speculation,            0.3,            0.95
    EXPECT  tma_branch_mispredicts,         0.3,            0.95
PREPARE
    mov   rax, 0x2545f4914f6cdd1d
    mov   [rsi], rax
    ret
CODE
    mov   rax, [rsi]
    mov   r10, 6364136223846793005          ; Knuth's multiplier for 64 bits
    mov   r11, 1442695040888963407
    mov   r9, 0x4000000000000000            ; a quarter of 2^64
    align 32                                ; no branch ends on a 32-byte boundary (JCC erratum)
.toss:
    imul  rax, r10
    add   rax, r11
    cmp   rax, r9
    jb    .rare
    inc   rcx
    dec   rdi
    jnz   .toss
    mov   [rsi], rax
    ret
    align 32, db 0xcc
.rare:
    inc   rdx
    dec   rdi
    jnz   .toss
    mov   [rsi], rax
    ret
ENDKERNEL
