; Hypothesis: multiplications can use one port only, and moves into a vector register another port
; only. There are three moves for every four multiplications, all independent: two uops begin in
; three cycles out of four and one in the fourth, which is less than half of four slots a cycle.
; Not so on NetBurst, with three slots: there both kinds can use port 1 only, and the unit for moves
; begins one every other cycle (optimization manual, "Out-of-Order Core" and the tables of latencies).

%include "kernels/kernel.inc"

KERNEL be.core.ports2, "two ports busy at a time"
    ITERATIONS  250
    LEAF        tma_ports_utilized_2
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 44,         n * 44
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * (24 if width > 3 else 42), n * (24 if width > 3 else 60) * 1.1
    EXPECT  tma_backend_bound,              0.48,           0.85
    EXPECT  tma_resource_bound | tma_core_bound, 0.45,           0.85
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
