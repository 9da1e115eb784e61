; Hypothesis: a 32-bit multiplication can use port 1 only, on every P core since Nehalem. Port 1
; begins one in every cycle, and the other ports for arithmetic get only the loop's branch.

%include "kernels/kernel.inc"

KERNEL be.core.port1, "multiplications, on port 1 only"
    ITERATIONS  250
    LEAF        tma_port_1
    LEVEL       6
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * 24 * 1.1
    EXPECT  tma_backend_bound,              0.5,            0.9
    EXPECT  tma_resource_bound | tma_core_bound, 0.45,           0.9
    EXPECT  tma_port_1,                     0.9,            1
CODE
.loop:
%rep 3
    imul  eax, r10d, 3
    imul  ecx, r10d, 3
    imul  edx, r10d, 3
    imul  ebx, r10d, 3
    imul  ebp, r10d, 3
    imul  r8d, r10d, 3
    imul  r9d, r10d, 3
    imul  r11d, r10d, 3
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
