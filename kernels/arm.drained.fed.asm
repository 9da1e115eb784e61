; Hypothesis: on Ivy Bridge less than 0.1 of the slots are lost to fetch latency. So
; cycles without a uop in the scheduler are not asked for, and the memory bound is a part of the
; back end. Other CPUs have formulas that ask for no such cycles.

%include "kernels/kernel.inc"
%include "kernels/arms_drained.inc"

KERNEL arm.drained.fed, "loads from L3 among NOPs, less than 0.1 fetch latency on Ivy Bridge"
    ITERATIONS  6
    ARENA       4096 + l2_size * 4
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 4098,       n * 4098
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 28,         n * 28
    EXPECT  tma_memory_bound / tma_backend_bound, 0,        1
PREPARE
    DRAINED_PREPARE
CODE 6
    DRAINED_CODE 20, 3
ENDKERNEL
