; Hypothesis: before each window the lines of code that it will run are flushed from all caches, so
; each jump waits for memory. A node has two lines, so that the prefetcher of pairs does not help,
; and no other prefetcher follows the order of the nodes.

%include "kernels/kernel.inc"

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, 7
    add   %1, r9
%endmacro

%include "kernels/code_ring.inc"

KERNEL fe.icache.mem, "code from memory"
    ITERATIONS  50
    ARENA       4096 + 1048576
    MOST        (arena - 4096) / 128 / 2
    LEAF        tma_code_l2_miss | tma_icache_misses
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * memory_latency * 0.6,   n * memory_latency * 1.6
    EXPECT  tma_frontend_bound,             0.9,            1
    EXPECT  tma_fetch_latency,              0.9,            1
    EXPECT  tma_icache_misses,              0.7,            1
PREPARE
    CODE_RING 7
    ret
RESET
    mov   rax, [rsi]
.flush:
    movsxd rcx, dword [rax + 3]
    lea   rcx, [rax + rcx + 7]
    clflush [rax]
    mov   rax, rcx
    dec   rdi
    jnz   .flush
    mfence
    ret
CODE
    call  [rsi]
    ret
ENDKERNEL
