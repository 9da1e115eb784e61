; Hypothesis: while the upper halves of vector registers are in use, an SSE instruction must keep
; the upper half of its destination. Since Skylake this takes one more uop for each SSE instruction;
; Golden Cove's event list counts assists for the transition, and which instruction needs one is not
; published: there no share is claimed. The additions are one chain, and a 256-bit addition is part
; of it, so that the upper halves are in use again in every iteration.

%include "kernels/kernel.inc"

KERNEL be.core.mixing, "SSE instructions after wider ones"
    ITERATIONS  100
    LEAF        tma_mixing_vectors of UOPS_ISSUED.VECTOR_WIDTH_MISMATCH
    LEVEL       5
    REQUIRES    avx
    EXPECT  INST_RETIRED.ANY,               n * 11,         n * 11
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  UOPS_ISSUED.VECTOR_WIDTH_MISMATCH, n * 7,       n * 9
    EXPECT  tma_backend_bound,              0.4,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.2,       1
CODE
    vxorps xmm0, xmm0, xmm0                 ; clears the whole register
.loop:
    vaddps ymm0, ymm0, ymm0
%rep 8
    addps xmm0, xmm0
%endrep
    dec   rdi
    jnz   .loop
    vzeroupper
    ret
ENDKERNEL
