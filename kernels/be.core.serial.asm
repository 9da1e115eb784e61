; Hypothesis: an LFENCE begins only when all older instructions have retired, and younger
; instructions begin only when the LFENCE has retired. Four multiplications that wait for each other
; keep it waiting for their twelve cycles. Meanwhile the scheduler is empty, so the ports are not
; the bottleneck.

%include "kernels/kernel.inc"

KERNEL be.core.serial, "fences behind chains of multiplications"
    ITERATIONS  150
    LEAF        tma_serializing_operation | tma_serialization
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 22,         n * 22
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 16 * mul_latency,   n * (16 * mul_latency + 4 * 24)
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.5,            1
CODE
.loop:
%rep 4
    imul  eax, r10d
    imul  eax, r10d
    imul  eax, r10d
    imul  eax, r10d
    lfence
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
