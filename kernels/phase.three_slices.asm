; Hypothesis: as phase.two_slices, with three, six or nine passes: of three slices one is in the first phase, one in the
; second, and one goes from one into the other.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 96                           ; quarters of n

KERNEL phase.three_slices, "a period of three slices"
    PHASES_OF_LOADS
