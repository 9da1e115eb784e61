; Hypothesis: multiplications have one port and moves into a vector register another one. Three of
; the latter for every four of the former, all independent: two uops begin in three cycles out of
; four and one in the fourth, which is less than half of what four slots a cycle would carry.

%include "kernels/kernel.inc"

KERNEL be.core.ports2, "two ports at work at a time"
    ITERATIONS  250
    LEAF        tma_ports_utilized_2
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 44,         n * 44
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * 24 * 1.1
    EXPECT  tma_backend_bound,              0.48,           0.85
    EXPECT  tma_core_bound,                 0.45,           0.85
CODE
.loop:
%rep 3
    imul  eax, r10d
    movd  xmm0, esi
    imul  ecx, r10d
    movd  xmm1, esi
    imul  edx, r10d
    movd  xmm2, esi
    imul  ebx, r10d
    imul  ebp, r10d
    movd  xmm3, esi
    imul  r8d, r10d
    movd  xmm4, esi
    imul  r9d, r10d
    movd  xmm5, esi
    imul  r11d, r10d
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
