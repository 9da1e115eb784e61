; Hypothesis: square roots of doubles that do not depend on each other keep the floating-point
; divider busy in every cycle, and no other unit has much to do. The operand is a perfect square: a
; CPU with a short cut for exact roots takes it every time.
; Beside another thread: a square root is one uop, and the divider takes several cycles for each; so
; the front end is waited for by neither thread's roots.

%include "kernels/kernel.inc"

KERNEL be.core.fpdiv, "independent square roots"
    ITERATIONS  250
    LEAF        tma_fp_divider | tma_divider
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.5,            1
    BESIDE  n * 9, n * 10, tma_frontend_bound, tma_bad_speculation
CODE
    mov   eax, 1234321
    cvtsi2sd xmm15, eax
    unpcklpd xmm15, xmm15
.loop:
%assign register 0
%rep 8
    sqrtpd xmm %+ register, xmm15
%assign register register + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
