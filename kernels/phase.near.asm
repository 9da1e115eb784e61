; Hypothesis: a period of 33 n is a little longer than two slices with what runs uncounted before them, 32 n. The passes
; drift through the phases, and eight slices of a pass are no sample of the whole.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 66                           ; quarters of n

KERNEL phase.near, "a period near that of two slices"
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
