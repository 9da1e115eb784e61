; Hypothesis: as phase.two_slices, but neither cycles nor instructions tell the phases apart: what all passes count is
; the same in every slice, and yet branches are seen in one phase only, and scaled to both.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 64                           ; quarters of n

KERNEL phase.alike, "phases that only their branches tell apart"
    ITERATIONS  100
    ARENA       128
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 19,         n * 19
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 2,          n * 2
PREPARE
    PHASE_PREPARE
RESET
    PHASE_RESET
CODE 9
    PHASE_CODE PHASE_FEW_BRANCHES, PHASE_MANY_BRANCHES
ENDKERNEL
