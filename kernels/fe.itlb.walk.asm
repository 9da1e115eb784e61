; Hypothesis: code on more 4 KiB pages than the second-level TLB has entries, one node on each, is
; visited in an order that returns to a page only after all others: each jump waits for a page walk.
; Sixteen pages in a row have the same offset for their node, and the sixty-four offsets follow each
; other, so that the lines spread over the sets of the caches. The lines are more than an L1
; instruction cache holds, but a hit in L2 takes less time than a page walk.

%include "kernels/kernel.inc"

%macro NODE_ADDRESS 2
    mov   r14, %2
    shr   r14, 4
    and   r14d, 63
    shl   r14d, 6
    mov   %1, %2
    shl   %1, 12
    add   %1, r14
    add   %1, r9
%endmacro

%include "kernels/code_ring.inc"

KERNEL fe.itlb.walk, "code on more pages than the second-level TLB holds"
    ITERATIONS  200
    ARENA       4096 + stlb_entries * 2 * 4096
    PAGES       4K
    LEAF        tma_code_stlb_miss | tma_itlb_misses
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_frontend_bound,             0.8,            1
    EXPECT  tma_fetch_latency,              0.8,            1
    EXPECT  tma_itlb_misses,                0.3,            1
PREPARE
    CODE_RING 12
    ret
CODE
    call  [rsi]
    ret
ENDKERNEL
