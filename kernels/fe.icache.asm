; Hypothesis: four L1 instruction caches of code in the arena, one node a line, in an order that the
; next-line prefetcher does not guess, so every line comes from L2 while four instructions need a
; cycle. All of it lies in large pages, and the jumps are fewer than branch target buffers hold. A
; window walks n nodes from where the last one stopped.

%include "kernels/kernel.inc"

; Where in its line a node begins changes every other 128th: a target buffer indexed by address bits
; from the fourth up then spreads the jumps.
%macro NODE_ADDRESS 2
    mov   r14, %2
    shr   r14, 7
    and   r14d, 1
    shl   r14d, 5
    mov   %1, %2
    shl   %1, 6
    add   %1, r14
    add   %1, r9
%endmacro

%include "kernels/code_ring.inc"

KERNEL fe.icache, "code larger than the L1 instruction cache"
    ITERATIONS  500
    ARENA       4096 + l1i_size * 4
    LEAF        tma_code_l2_hit | tma_icache_misses
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_frontend_bound,             0.6,            1
    EXPECT  tma_fetch_latency,              0.5,            1
PREPARE
    CODE_RING 6
    ret
CODE
    call  [rsi]
    ret
ENDKERNEL
