; Hypothesis: a slice of 8 n iterations has 16 whole periods of half n: all slices are alike but for the
; ends, and multiplexing is as right as without phases. The four changes of n iterations have three instructions each.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 1                            ; quarters of n

KERNEL phase.short, "a period far below a slice's"
    ITERATIONS  100
    ARENA       128
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 16.5 + 12,  n * 16.5 + 12
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 5.5 + 4,    n * 5.5 + 4
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 2 + 8,      n * 2 + 8
PREPARE
    PHASE_PREPARE
RESET
    PHASE_RESET
CODE 9
    PHASE_CODE PHASE_MULTIPLY, PHASE_LOAD
ENDKERNEL
