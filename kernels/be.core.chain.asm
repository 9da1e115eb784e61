; Hypothesis: each multiplication waits for the one before it, so an iteration takes ten
; multiplication latencies. The back end is the bottleneck, and memory is not.
; Beside another thread: ten multiplications and the loop's branch, whose two instructions are one
; uop on most CPUs. They need a third of a uop in a cycle, and half of the cycles of a front end
; deliver more, so the chain is all that they wait for.

%include "kernels/kernel.inc"

KERNEL be.core.chain, "dependent multiplications"
    ITERATIONS  500
    LEAF        tma_ports_utilized_0
    EXPECT  INST_RETIRED.ANY,               n * 12,         n * 12
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 10 * mul_latency,   n * 10 * mul_latency * 1.05
    EXPECT  tma_backend_bound,              0.75,           1
    EXPECT  tma_resource_bound | tma_core_bound, 0.65,           1
    BESIDE  n * 11, n * 12, tma_frontend_bound, tma_bad_speculation
CODE
    mov   eax, 3
    mov   ecx, 5
.loop:
%rep 10
    imul  rax, rcx
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
