; Hypothesis: each kind of uop here can use one port only: multiplications port 1, moves out of
; vector registers port 0, moves into them port 5. Only the loop's branch can use several ports, and
; it is less than a hundredth of each kind.

%include "kernels/kernel.inc"

KERNEL exact.ports, "uops with one port each"
    LEVEL       3
    ITERATIONS  20
    EXPECT  INST_RETIRED.ANY,               n * 362,        n * 362
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  UOPS_DISPATCHED.PORT_0 | UOPS_DISPATCHED_PORT.PORT_0, n * 120 - 2, n * 121 + 2
    EXPECT  UOPS_DISPATCHED.PORT_1 | UOPS_DISPATCHED_PORT.PORT_1, n * 120 - 2, n * 121 + 2
    EXPECT  UOPS_DISPATCHED.PORT_5 | UOPS_DISPATCHED.PORT_5_11 | \
                UOPS_DISPATCHED_PORT.PORT_5, n * 120 - 2, n * 121 + 2
CODE 6
.loop:
%rep 30
    imul  eax, r10d, 3
    movd  xmm0, esi
    movd  r8d, xmm7
    imul  ecx, r10d, 3
    movd  xmm1, esi
    movd  r9d, xmm7
    imul  edx, r10d, 3
    movd  xmm2, esi
    movd  r11d, xmm7
    imul  ebx, r10d, 3
    movd  xmm3, esi
    movd  ebp, xmm7
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
