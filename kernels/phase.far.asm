; Hypothesis: a program whose phases are longer than a whole multiplexed run is seen as it was
; during the run, in all passes alike; where the phase changes within the run, slices differ, and nothing is reliable.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 2048                         ; quarters of n

KERNEL phase.far, "a period far above the rotation's"
    PHASES_OF_LOADS
