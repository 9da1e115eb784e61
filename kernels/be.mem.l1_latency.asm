; Hypothesis: in a chain of loads with an index register every load takes the full latency of the L1
; data cache; the cycle that a CPU may save for a plain base and displacement is never saved. No
; load misses and none is blocked, so of all reasons to wait for L1 only its latency is left.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 6                            ; a node is a line
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.l1_latency, "pointer chase in L1 with an index register"
    ITERATIONS  250
    ARENA       4096 + l1d_size / 4
    LEAF        tma_l1_latency_dependency | tma_l1_bound
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 8 * l1_latency, n * 8 * (l1_latency + 1) * 1.1
    EXPECT  tma_backend_bound,              0.7,            1
    EXPECT  tma_memory_bound,               0.5,            1
    EXPECT  tma_l1_bound,                   0.5,            1
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    mov   rax, [rsi]
    xor   ecx, ecx
    align 32
.next:
%rep 8
    mov   rax, [rax + rcx * 8]
%endrep
    dec   rdi
    jnz   .next
    mov   [rsi], rax
    ret
ENDKERNEL
