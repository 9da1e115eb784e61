; Hypothesis: with a period of 16 n, a slice and what runs uncounted before it, every slice begins at the same place of the
; phases. What runs between two slices no pass sees, whatever the number of passes is.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 32                           ; quarters of n

KERNEL phase.slice, "a period of one slice"
    PHASES_OF_LOADS
