; Hypothesis: as phase.two_slices, with three, six or nine passes: of three slices one is in the first phase, one in the
; second, and one goes from one into the other.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 96                           ; quarters of n

KERNEL phase.three_slices, "a period of three slices"
    ITERATIONS  100
    ARENA       128
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 15,         n * 15
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 2,          n * 2
PREPARE
    PHASE_PREPARE
RESET
    PHASE_RESET
CODE 9
    PHASE_CODE PHASE_MULTIPLY, PHASE_LOAD
ENDKERNEL
