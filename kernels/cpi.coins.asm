; Hypothesis: one branch in six instructions is mispredicted half of the time, and its refill is the
; branch's. Each number has 32 bits by chance, and its complement follows: 64 tosses have 32 heads
; exactly, whatever the number. The numbers are the upper halves of a linear congruential generator's,
; which goes on from window to window, so that no history is worth learning.

%include "kernels/kernel.inc"
%include "kernels/coins.inc"

KERNEL cpi.coins, "a branch that chance decides"
    ITERATIONS  15
    ARENA       64
    EXPECT  INST_RETIRED.ANY,               n * 395,        n * 395
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 161,        n * 161
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 128,        n * 128
    ; Half of 64 tosses. The last 32 follow from the first, so a predictor that saw that could know them.
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 16,         n * 48
PREPARE
    COINS_PREPARE
    ret
CODE 8
BLOCK .entry, 1
    COINS_BEGIN
BLOCK .number, n
    COINS_TOSS
    mov   ecx, 64
BLOCK .toss, n * 64
    shr   r11, 1
    jnc   .tails
BLOCK .heads, n * 32
    add   rbx, rcx
    xor   rbx, 3
    jmp   .on
BLOCK .tails, n * 32
    sub   rbx, rcx
BLOCK .on, n * 64
    dec   ecx
    jnz   .toss                             ; taken 63 times
BLOCK .again, n
    dec   rdi
    jnz   .number                           ; taken, except the last time
BLOCK .leave, 1
    mov   [rsi], r10
    ret
ENDKERNEL
