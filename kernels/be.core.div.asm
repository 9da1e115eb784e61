; Hypothesis: a division keeps the divider busy for its throughput only, not for its latency. So the
; divider is always busy when divisions do not wait for each other: here each division starts from
; the same dividend. Before Ice Lake an integer division is ten uops of microcode, which would fill
; half of the slots in its six cycles; the square root next to it is one uop, keeps the divider busy
; for as long and fills hardly any slots. (In a chain of divisions, be.core.divchain, the divider is
; idle most of the time.)

%include "kernels/kernel.inc"

KERNEL be.core.div, "independent divisions and square roots"
    ITERATIONS  200
    LEAF        tma_divider
    EXPECT  INST_RETIRED.ANY,               n * 18,         n * 18
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 4 * div_throughput * 0.9,   n * 4 * div_throughput * 3.5
    EXPECT  ARITH.DIV_ACTIVE / CPU_CLK_UNHALTED.THREAD | \
                ARITH.DIVIDER_ACTIVE / CPU_CLK_UNHALTED.THREAD, 0.85, 1.01
    EXPECT  tma_backend_bound,              0.4,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.4,            1
CODE
    mov   r8d, 0xfffffff1
    mov   ecx, 3
    cvtsi2sd xmm15, r8
    unpcklpd xmm15, xmm15
.loop:
%assign register 0
%rep 4
    mov   eax, r8d
    xor   edx, edx
    div   ecx
    sqrtpd xmm %+ register, xmm15
%assign register register + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
