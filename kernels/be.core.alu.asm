; Hypothesis: seven uops in four cycles go through two ports for arithmetic, and none of the uops
; uses memory: of the groups of ports, the one for arithmetic is busy, those for loads and stores
; are idle.

%include "kernels/kernel.inc"

KERNEL be.core.alu, "arithmetic on two ports, no memory"
    ITERATIONS  250
    LEAF        tma_alu_op_utilization
    LEVEL       5
    EXPECT  INST_RETIRED.ANY,               n * 44,         n * 44
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * 24 * 1.1
    EXPECT  tma_backend_bound,              0.48,           0.85
    EXPECT  tma_resource_bound | tma_core_bound, 0.45,           0.85
CODE 6
.loop:
%rep 6
    imul  eax, r10d, 3
    movd  r8d, xmm0
    imul  ecx, r10d, 3
    movd  r9d, xmm0
    imul  edx, r10d, 3
    movd  r11d, xmm0
    imul  ebx, r10d, 3
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
