; Hypothesis: a period of 33 n is a little longer than two slices with what runs uncounted before them, 32 n. The passes
; drift through the phases, and eight slices of a pass are no sample of the whole.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 66                           ; quarters of n

KERNEL phase.near, "a period near that of two slices"
    PHASES_OF_LOADS
