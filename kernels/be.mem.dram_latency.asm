; Hypothesis: two chains of loads run at the same time, each to lines that have just been flushed
; from every cache, far apart and in random order. Two outstanding misses are far fewer than the
; bandwidth of memory allows, so its latency is the bottleneck, not its bandwidth. One load in three
; is outside the chains and hits L2.

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

KERNEL be.mem.dram_latency, "two pointer chases in memory"
    ITERATIONS  50
    ARENA       4096 + 65536 + 4194304
    MOST        (arena - 4096 - 65536) / 512 / 2 / 2
    LEAF        tma_mem_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 3,          n * 3
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L3_MISS,       n * 2 * 0.95,   n * 2 + 5
    EXPECT  MEM_LOAD_RETIRED.L2_HIT,        n * 0.8,        n * 1.1
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * memory_latency * 0.6,   n * memory_latency * 1.6
    EXPECT  tma_backend_bound,              0.9,            1
    EXPECT  tma_memory_bound,               0.8,            1
    EXPECT  tma_l3_miss_bound,              0.7,            1
PREPARE
    lea   r9, [rsi + 4096]
    L2_HIT_RING r9
    RING_OF_ARENA
    mov   [rsi], rax                        ; two places, half the nodes apart
    mov   rdx, r10
    shr   rdx, 1
    NODE_ADDRESS rax, rdx
    mov   [rsi + 8], rax
    ret
RESET                                       ; flushes the next n nodes of both chains unread
    RING_IN_ARENA
    mov   rbx, rdi
    xor   r15d, r15d
.chain:
    mov   rdi, rbx
    mov   rdx, [rsi + r15 * 8]
    sub   rdx, r9
    shr   rdx, NODE_SHIFT
.flush:
    NODE_ADDRESS rax, rdx
    clflush [rax]
    RING_NEXT rdx
    dec   rdi
    jnz   .flush
    inc   r15d
    cmp   r15d, 2
    jb    .chain
    mfence
    ret
CODE
    mov   rax, [rsi]
    mov   rbx, [rsi + 8]
    lea   rcx, [rsi + 4096]
    align 32
.next:
    mov   rax, [rax]
    mov   rbx, [rbx]
    mov   rcx, [rcx]
    dec   rdi
    jnz   .next
    mov   [rsi], rax
    mov   [rsi + 8], rbx
    ret
ENDKERNEL
