; Hypothesis: a 32-bit division (64 by 32 bits) cannot overlap with the division before it when its
; dividend is made from that division's quotient. So an iteration takes the latency of a division
; and of the OR that restores the top bit (the quotient must not shrink to zero: small quotients
; divide faster on some CPUs). The divider itself is busy for div_throughput cycles and free again
; long before the quotient is there.

%include "kernels/kernel.inc"

KERNEL be.core.divchain, "dependent divisions"
    ITERATIONS  500
    LEAF        tma_int_divider
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * div_latency * 0.9,  n * (div_latency + 1) * 1.2
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.5,            1
CODE
    mov   eax, 0xfffffff1
    mov   ecx, 3
    mov   r10d, 0x80000000
.loop:
    xor   edx, edx
    div   ecx
    or    eax, r10d
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
