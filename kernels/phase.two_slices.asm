; Hypothesis: a slice has 8 n iterations, and the kernel runs as many before it uncounted, so 32 n are two slices. With an
; even number of passes the slices of every second pass fall into one phase and those of the others into the other one,
; turn after turn: each event is seen in one phase only, always alike, and scaled to the time of both. Only windows that do
; not keep the step show that.

%include "kernels/kernel.inc"
%include "kernels/phases.inc"

PHASE_HALF equ 64                           ; quarters of n

KERNEL phase.two_slices, "a period of two slices"
    PHASES_OF_LOADS
