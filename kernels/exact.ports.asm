; Hypothesis: each kind of uop here can use one port only: multiplications port 1, moves out of
; vector registers port 0, moves into them port 5. Only the loop's branch can use several ports, and
; it is less than a hundredth of each kind. The uops are four chains, each uop waiting for the one
; before. So when the end of the loop is mispredicted, the uops behind it wait, too, and are thrown
; away before they begin.

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
CODE
    xor   eax, eax
    xor   ecx, ecx
    xor   edx, edx
    xor   ebx, ebx
.loop:
%rep 30
    imul  eax, eax, 3
    movd  xmm0, eax
    movd  eax, xmm0
    imul  ecx, ecx, 3
    movd  xmm1, ecx
    movd  ecx, xmm1
    imul  edx, edx, 3
    movd  xmm2, edx
    movd  edx, xmm2
    imul  ebx, ebx, 3
    movd  xmm3, ebx
    movd  ebx, xmm3
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
