; Hypothesis: 64-bit multiplications go through one port, one a cycle. Eight independent chains hide
; their latency, so that port alone sets the pace and the other slots wait in the back end.

%include "kernels/kernel.inc"

KERNEL be.core.port, "independent multiplications on one port"
    ITERATIONS  250
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * 24 * 1.1
    EXPECT  tma_backend_bound,              0.5,            0.85
    EXPECT  tma_core_bound,                 0.45,           0.85
CODE
.loop:
%rep 3
    imul  rax, r10
    imul  rcx, r10
    imul  rdx, r10
    imul  rbx, r10
    imul  rbp, r10
    imul  r8, r10
    imul  r9, r10
    imul  r11, r10
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
