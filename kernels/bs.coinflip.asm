; Hypothesis: the top bit of a linear congruential generator modulo 2^64 has no history worth
; learning, so half the tosses mispredict. A toss knows its side only after a multiplication and an
; addition that wait for the toss before, and until then the front end fills the machine with the
; wrong side; those slots and the recovery are wasted. The generator runs on from window to window,
; lest the same sequence be learned by heart. Both sides are equally long: exact counts.

%include "kernels/kernel.inc"

KERNEL bs.coinflip, "branch on a random bit"
    ITERATIONS  1500
    ARENA       4096
    LEAF        tma_branch_mispredicts
    EXPECT  INST_RETIRED.ANY,               n * 7,          n * 7
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 0.42,       n * 0.58
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
    align 32                                ; no branch may end on a 32-byte boundary: such a one
.toss:                                      ;     leaves the uop cache on Skylake (JCC erratum)
    imul  rax, r10
    add   rax, r11
    test  rax, rax
    js    .heads
    inc   rcx
    dec   rdi
    jnz   .toss
    mov   [rsi], rax
    ret
    align 32, db 0xcc
.heads:
    inc   rdx
    dec   rdi
    jnz   .toss
    mov   [rsi], rax
    ret
ENDKERNEL
