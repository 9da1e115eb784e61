; Hypothesis: a call of one of sixteen functions is predicted correctly once in sixteen times when
; the top four bits of a linear congruential generator modulo 2^64 choose the function. As in
; bs.coinflip each choice depends on the one before, so the wrong function and what follows it run
; for a while, and the sequence never repeats. The returns are predicted correctly.

%include "kernels/kernel.inc"

TARGET_SHIFT equ 4                          ; log2 of the bytes of a target

KERNEL bs.call, "call of one of sixteen random functions"
    ITERATIONS  500
    ARENA       4096
    LEAF        tma_ind_call_mispredicts | tma_branch_mispredicts
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 11,         n * 11
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_CALL,      n,              n
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 0.85,       n
    EXPECT  BR_MISP_RETIRED.INDIRECT_CALL,  n * 0.85,       n
    EXPECT  tma_bad_speculation,            0.35,           0.95
    EXPECT  tma_branch_mispredicts,         0.35,           0.95
PREPARE
    mov   rax, 0x2545f4914f6cdd1d
    mov   [rsi], rax
    ret
CODE
    mov   rax, [rsi]
    mov   r10, 6364136223846793005          ; Knuth's multiplier for 64 bits
    mov   r11, 1442695040888963407
    lea   r9, [.targets]
.loop:
    imul  rax, r10
    add   rax, r11
    mov   rdx, rax
    shr   rdx, 60
    shl   rdx, TARGET_SHIFT
    add   rdx, r9
    call  rdx
    dec   rdi
    jnz   .loop
    mov   [rsi], rax
    ret
    align 64, db 0xcc
.targets:
%rep 16
    inc   rcx
    ret
    align 1 << TARGET_SHIFT, db 0xcc
%endrep
ENDKERNEL
