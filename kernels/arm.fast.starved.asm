; Hypothesis: on Ivy Bridge this is more than 1.8 instructions a cycle (1.9), and more than 0.1 of
; the slots lost to fetch latency (0.12). So it takes one of the four pairs of arms of the formula
; of its memory bound; on other CPUs it is only what it counts.

%include "kernels/kernel.inc"
%include "kernels/arms.inc"

KERNEL arm.fast.starved, "1.9 instructions a cycle, 0.12 of the slots lost to fetch latency, on Ivy Bridge"
    ITERATIONS  6
    ARENA       4096 + (l1i_size * 4 if l1i_size * 8 <= l2_size else l2_size / 2)
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 3609,       n * 3609
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,        n * 103
    EXPECT  tma_memory_bound / tma_backend_bound, 0,        1
PREPARE
    ARM_PREPARE
CODE 1
    ARM_CODE 40, 18, 25
ENDKERNEL
