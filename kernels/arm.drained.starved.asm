; Hypothesis: on Ivy Bridge more than 0.1 of the slots are lost to fetch latency. So the
; formula of the memory bound takes the cycles without a uop in the scheduler for the front end's,
; and subtracts them from the back end's, of which they are a part here: what is left is less than
; the stalls for memory, and memory more than the back end. That the verdict on it fails there is a
; finding on the formula. Other CPUs have formulas that ask for no such cycles.

%include "kernels/kernel.inc"
%include "kernels/arms_drained.inc"

KERNEL arm.drained.starved, "loads from L3 among NOPs, more than 0.1 fetch latency on Ivy Bridge"
    ITERATIONS  6
    ARENA       4096 + l2_size * 4
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 4110,       n * 4110
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 34,         n * 34
    EXPECT  tma_memory_bound / tma_backend_bound, 0,        1
PREPARE
    DRAINED_PREPARE
CODE 6
    DRAINED_CODE 20, 6
ENDKERNEL
