; Hypothesis: code of twice the L2 cache, one node a line, is visited in an order that no prefetcher
; follows: each jump waits for a line from the last-level cache. PREPARE walks the ring, so that
; caches and predictors are in every window as a walk of the ring leaves them. The lookup in L2
; takes the same number of cycles at every clock, for which be.mem.l3 allows 16.

%include "kernels/kernel.inc"

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, 6
    add   %1, r9
%endmacro

%include "kernels/code_ring.inc"

KERNEL fe.icache.l3, "code larger than the L2 cache"
    ITERATIONS  120
    ARENA       4096 + l2_size * 2
    LEAF        tma_code_l2_miss | tma_icache_misses
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * l3_latency * 0.6 if l3_size >= l2_size * 1.5 else NA, n * (l3_latency * 1.8 + 16)
    EXPECT  tma_frontend_bound,             0.8,            1
    EXPECT  tma_fetch_latency,              0.8,            1
    EXPECT  tma_icache_misses,              0.5,            1
PREPARE
    CODE_RING 6
    CODE_RING_WALK
    ret
CODE
    call  [rsi]
    ret
ENDKERNEL
