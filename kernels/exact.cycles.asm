; Hypothesis: an addition takes a cycle and waits for the one before it, so a hundred take a hundred
; cycles; the loop's own one or two uops find room beside them. The end of the loop may be mispredicted
; in one window and not in the other, which is the half of a percent that the ranges allow.

%include "kernels/kernel.inc"

KERNEL exact.cycles, "additions, a cycle each"
    LEVEL       3
    ITERATIONS  100
    EXPECT  INST_RETIRED.ANY,               n * 102,        n * 102
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  CPU_CLK_UNHALTED.CORE | CPU_CLK_UNHALTED.THREAD, n * 99.5, n * 100.5
    EXPECT  TOPDOWN.SLOTS,                  n * 99.5 * width,   n * 100.5 * width
    EXPECT  TOPDOWN_RETIRING.ALL,           n * 101,        n * 102
CODE
    align 64
.loop:
%rep 100
    add   rax, r10
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
