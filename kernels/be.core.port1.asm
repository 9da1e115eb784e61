; Hypothesis: 32-bit multiplications have port 1 and no other, on every core of the vendor's since
; Nehalem; it begins one in every cycle, and the other three ports for arithmetic only see the loop's
; own branch.

%include "kernels/kernel.inc"

KERNEL be.core.port1, "multiplications, which port 1 has alone"
    ITERATIONS  250
    LEAF        tma_port_1
    LEVEL       6
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * 24 * 1.1
    EXPECT  tma_backend_bound,              0.5,            0.9
    EXPECT  tma_core_bound,                 0.45,           0.9
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
