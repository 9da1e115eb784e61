; Hypothesis: with a period of 16 n, a slice and what runs uncounted before it, every slice begins at the same place of the
; phases. What runs between two slices no pass sees, whatever the number of passes is.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 32                           ; quarters of n

KERNEL phase.slice, "a period of one slice"
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
