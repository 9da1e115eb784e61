; Hypothesis: while the upper halves of vector registers are in use, an SSE instruction has to keep the
; upper half of what it writes. Since Skylake that takes a uop more for each of them; Golden Cove's
; event list counts assists for the transition. The additions here are one chain, the wide one is
; part of it, so that the halves are in use again in every turn.

%include "kernels/kernel.inc"

KERNEL be.core.mixing, "SSE instructions after wider ones"
    ITERATIONS  100
    LEAF        tma_mixing_vectors
    LEVEL       5
    REQUIRES    avx
    EXPECT  INST_RETIRED.ANY,               n * 11,         n * 11
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  UOPS_ISSUED.VECTOR_WIDTH_MISMATCH, n * 7,       n * 9
    EXPECT  ASSISTS.SSE_AVX_MIX,            n * 0.9,        n * 9
    EXPECT  tma_backend_bound,              0.4,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.2,       1
    EXPECT  tma_mixing_vectors,             0.05,           1
CODE
    vxorps xmm0, xmm0, xmm0                 ; all of the register
    align 32
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
