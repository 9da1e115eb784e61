; Hypothesis: a program whose phases are longer than a whole multiplexed run is seen as it was
; during the run, in all passes alike; where the phase changes within the run, slices differ, and nothing is reliable.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 2048                         ; quarters of n

KERNEL phase.far, "a period far above the rotation's"
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
