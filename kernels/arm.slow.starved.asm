; Hypothesis: on Ivy Bridge this is less than 1.8 instructions a cycle (1.7), and more than 0.1 of
; the slots lost to fetch latency (0.12). So it takes one of the four pairs of arms of the formula
; of its memory bound; on other CPUs it is only what it counts.

%include "kernels/kernel.inc"
%include "kernels/arms.inc"

KERNEL arm.slow.starved, "1.7 instructions a cycle, 0.12 of the slots lost to fetch latency, on Ivy Bridge"
    ITERATIONS  6
    ARENA       4096 + (l1i_size * 4 if l1i_size * 8 <= l2_size else l2_size / 2)
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 3701,       n * 3701
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 117,        n * 117
    EXPECT  tma_memory_bound / tma_backend_bound, 0,        1
PREPARE
    ARM_PREPARE
CODE 1
    ARM_CODE 40, 21, 33
ENDKERNEL
