; Hypothesis: the top bit of a linear congruential generator modulo 2^64 has no history worth
; learning, so half of the tosses are mispredicted. The result of a toss is known only after a
; multiplication and an addition that wait for the toss before it; until then the front end fills
; the machine with the wrong side. Those slots and the recovery are wasted. The generator continues
; from window to window, so that no sequence can be learned by heart. Both sides have the same
; number of instructions, so the counts are exact. Chance moves the mispredictions, a window of 2n
; less one of n, by the root of 3 n / 4, which is 47; what is claimed leaves room for five times as
; much on each side.
; Beside another thread: five uops where TEST and JS, and DEC and JNZ, are one uop each, else seven.
; What a misprediction costs, and whom, depends on what the other thread takes.

%include "kernels/kernel.inc"

KERNEL bs.coinflip, "branch on a random bit"
    ITERATIONS  3000
    ARENA       4096
    LEAF        tma_branch_mispredicts
    EXPECT  INST_RETIRED.ANY,               n * 7,          n * 7
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 0.42,       n * 0.58
    EXPECT  tma_bad_speculation,            0.35,           0.95
    EXPECT  tma_branch_mispredicts,         0.35,           0.95
    BESIDE  n * 5, n * 7
PREPARE
    mov   rax, 0x2545f4914f6cdd1d
    mov   [rsi], rax
    ret
CODE
    mov   rax, [rsi]
    mov   r10, 6364136223846793005          ; Knuth's multiplier for 64 bits
    mov   r11, 1442695040888963407
    align 32                                ; no branch may end on a 32-byte boundary: Skylake
.toss:                                      ;     keeps it out of the uop cache (JCC erratum)
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
