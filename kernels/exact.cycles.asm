; Hypothesis: an addition takes one cycle and waits for the addition before it, so a hundred
; additions take a hundred cycles; the loop's one or two uops begin in the same cycles. The end of
; the loop may be mispredicted in one window and not in the other: the ranges allow half a percent
; for it.

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
