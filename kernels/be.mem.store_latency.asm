; Hypothesis: each store is to a line of memory that has just been flushed, in random order and far
; apart, so no prefetcher has fetched it. The stores retire and wait in the store buffer for their
; lines, as many at a time as there are fill buffers; no other core has the lines, and none is
; split. No load waits.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 9
FIRST_NODE equ 4096                         ; [arena] keeps the number of the next node

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.store_latency, "stores into memory at random"
    ITERATIONS  400
    ARENA       4096 + 4194304
    LEAF        tma_store_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 9,          n * 9
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n,              n
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
    EXPECT  tma_store_bound,                0.4,            1
PREPARE
    mov   qword [rsi], 0
    ret
RESET                                       ; flushes the n nodes ahead
    lea   r9, [rsi + FIRST_NODE]
    sub   r8, FIRST_NODE
    RING_SIZE r8, NODE_SHIFT
    mov   rdx, [rsi]
.flush:
    NODE_ADDRESS rax, rdx
    clflush [rax]
    RING_NEXT rdx
    dec   rdi
    jnz   .flush
    mfence
    ret
CODE
    lea   r9, [rsi + FIRST_NODE]
    sub   r8, FIRST_NODE
    RING_SIZE r8, NODE_SHIFT
    mov   rdx, [rsi]
    align 32
.next:
    NODE_ADDRESS rax, rdx
    mov   [rax], rdi
    RING_NEXT rdx
    dec   rdi
    jnz   .next
    mov   [rsi], rdx
    ret
ENDKERNEL
