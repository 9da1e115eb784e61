; Hypothesis: a move from a vector register to a general register can use port 0 only. Independent
; moves begin one in every cycle, and the other ports for arithmetic get only the loop's branch.

%include "kernels/kernel.inc"

KERNEL be.core.port0, "moves out of vector registers, on port 0 only"
    ITERATIONS  250
    LEAF        tma_port_0
    LEVEL       6
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * 25 * 1.1
    EXPECT  tma_backend_bound,              0.5,            0.9
    EXPECT  tma_resource_bound | tma_core_bound, 0.45,           0.9
    EXPECT  tma_port_0,                     0.9,            1
CODE
.loop:
%rep 3
    movd  eax, xmm0
    movd  ecx, xmm0
    movd  edx, xmm0
    movd  ebx, xmm0
    movd  ebp, xmm0
    movd  r8d, xmm0
    movd  r9d, xmm0
    movd  r11d, xmm0
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
