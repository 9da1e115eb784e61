; Hypothesis: a PAUSE stops the thread for tens to hundreds of cycles, in which nothing is
; allocated.

%include "kernels/kernel.inc"

KERNEL be.core.pause, "pauses"
    ITERATIONS  25
    LEAF        tma_slow_pause | tma_serializing_operation
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 6,          n * 6
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 4 * 8,      n * 4 * 300
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.5,            1
CODE
.loop:
%rep 4
    pause
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
