; Hypothesis: 32-bit multiplications go through one port, one a cycle (Core 2 begins a 64-bit
; multiplication only every other cycle). Twelve independent chains hide their latency, up to the ten
; cycles of a Pentium 4, so that port alone sets the pace, and the other slots wait in the back end.
; Beside another thread: 24 multiplications and the loop's branch, of one uop or two. They need a uop
; in a cycle, and half of the cycles of a front end deliver more, so the port is all that they wait
; for.

%include "kernels/kernel.inc"

KERNEL be.core.port, "independent multiplications on one port"
    ITERATIONS  250
    LEAF        tma_ports_utilized_1
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * 24 * 1.1
    EXPECT  tma_backend_bound,              0.5,            0.85
    EXPECT  tma_resource_bound | tma_core_bound, 0.45,           0.85
    BESIDE  n * 25, n * 26, tma_frontend_bound, tma_bad_speculation
CODE
.loop:
%rep 2
    imul  eax, r10d
    imul  ecx, r10d
    imul  edx, r10d
    imul  ebx, r10d
    imul  ebp, r10d
    imul  r8d, r10d
    imul  r9d, r10d
    imul  r11d, r10d
    imul  r12d, r10d
    imul  r13d, r10d
    imul  r14d, r10d
    imul  r15d, r10d
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
