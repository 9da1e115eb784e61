; Hypothesis: the lines that a window will visit have just been flushed from every cache, so every
; load of the chain goes to memory, one after the other, however large the caches are. The nodes are
; 512 bytes apart and visited in random order, so no prefetcher helps. In each iteration one load
; outside the chain hits L2: the published formulas divide by such hits. Now and then the chain drives one of these
; lines out of a small L2 and L3.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"
%include "kernels/l2_hit.inc"

NODE_SHIFT equ 9                            ; too far apart for prefetchers that fetch pairs
FIRST_NODE equ 4096 + L2_HIT_BYTES          ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.dram, "pointer chase in memory"
    ITERATIONS  700
    ARENA       4096 + 65536 + 8388608
    MOST        (arena - 4096 - 65536) / 512 / 2
    LEAF        tma_l3_miss_bound | tma_dram_bound
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 2,          n * 2
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L3_MISS,       n * 0.95,       n * 1.02
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * memory_latency * 0.6,   n * memory_latency * 1.6
    EXPECT  tma_backend_bound,              0.9,            1
    EXPECT  tma_memory_bound,               0.8,            1
PREPARE
    lea   r9, [rsi + 4096]
    L2_HIT_RING r9
    RING_OF_ARENA
    mov   [rsi], rax
    ret
RESET                                       ; flushes the next n nodes without reading them
    RING_FLUSH
    ret
CODE
    mov   rax, [rsi]
    lea   rcx, [rsi + 4096]
    align 32
.next:
    mov   rax, [rax]
    mov   rcx, [rcx]
    dec   rdi
    jnz   .next
    mov   [rsi], rax
    ret
ENDKERNEL
