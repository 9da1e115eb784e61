; Hypothesis: the multiplier sets the pace: one multiplication a cycle, each with a load. Three more
; loads for every four multiplications keep two load ports busy for seven eighths of the time, while
; less than half of four slots a cycle are used. The ports for arithmetic have one uop a cycle,
; those for stores none. Where there is one load port, up to Nehalem, that port sets the pace. The
; loads are of two banks of L1, since Ivy Bridge makes two of one bank in turn (Optimization
; Reference Manual, "Handling L1D Cache Bank Conflict").

%include "kernels/kernel.inc"

KERNEL be.core.loads, "loads beside multiplications, nearly two a cycle"
    ITERATIONS  250
    ARENA       4096
    LEAF        tma_load_op_utilization
    LEVEL       5
    EXPECT  INST_RETIRED.ANY,               n * 44,         n * 44
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 42,         n * 42
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * (24 if loads_a_cycle > 1 else 42), n * (24 if loads_a_cycle > 1 else 42) * 1.1
    EXPECT  tma_backend_bound,              0.48,           0.85
    EXPECT  tma_resource_bound | tma_core_bound, 0.4,            0.85
PREPARE
    mov   qword [rsi], 1
    mov   qword [rsi + 264], 0
    ret
CODE
.loop:
%rep 6
    imul  eax, [rsi], 3
    mov   r8d, [rsi + 264]
    imul  ecx, [rsi], 3
    mov   r9d, [rsi + 264]
    imul  edx, [rsi], 3
    mov   r10d, [rsi + 264]
    imul  ebx, [rsi], 3
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
