; Hypothesis: code of four times the L1 instruction cache, or of half the L2 cache where that is
; smaller, lies in the arena, one node a line, in an order that the next-line prefetcher does not follow. So every line comes from L2, while its four
; instructions need one cycle. The code is on large pages, and its jumps are fewer than branch
; target buffers hold. A window walks n nodes from where the last window stopped.
; Beside another thread: DEC and JZ are one uop or two. The jumps always go the same way, and the few
; uops of a node wait for nothing in the back end, so all that is lost is lost to the line of code.

%include "kernels/kernel.inc"

; A node begins at the start of its line for 128 nodes, in the middle for the next 128: the jumps
; then spread over a branch target buffer that is indexed by the address bits from bit 4 on.
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
    ARENA       4096 + (l1i_size * 4 if l1i_size * 8 <= l2_size else l2_size / 2)
    LEAF        tma_code_l2_hit | tma_icache_misses
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 2,          n * 2
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_frontend_bound,             0.6,            1
    EXPECT  tma_fetch_latency,              0.5,            1
    BESIDE  n * 3, n * 4, tma_bad_speculation, tma_backend_bound
PREPARE
    CODE_RING 6
    ret
CODE
    call  [rsi]
    ret
ENDKERNEL
