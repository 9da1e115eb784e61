; Hypothesis: each LFENCE waits until the LFENCE before it has retired, so the allocator waits for
; fences nearly all of the time.

%include "kernels/kernel.inc"

KERNEL be.core.fence, "fences only"
    ITERATIONS  200
    LEAF        tma_memory_fence | tma_serializing_operation | tma_serialization
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_backend_bound,              0.3,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.3,            1
CODE
.loop:
%rep 8
    lfence
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
