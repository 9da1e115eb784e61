; Hypothesis: a slice has 8 n iterations, and the kernel runs as many before it uncounted, so 32 n are two slices. With an
; even number of passes the slices of every second pass fall into one phase and those of the others into the other one,
; turn after turn: each event is seen in one phase only, always alike, and scaled to the time of both. Only windows that do
; not keep the step show that.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 64                           ; quarters of n

KERNEL phase.two_slices, "a period of two slices"
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
