; Hypothesis: one line on each of more 4 KiB pages than the second-level TLB holds is visited
; cyclically, so every load walks the page tables. The lines themselves fit into L2: a node's offset
; in its page comes from the bits of its number above the lowest four (those four number the pages
; within 64 KiB), so that the nodes spread over the sets of L2. A load then takes a page walk and an
; L2 latency.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

PAGE_SHIFT equ 12
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   r14, %2
    shr   r14, 4
    and   r14d, 63
    shl   r14d, 6
    mov   %1, %2
    shl   %1, PAGE_SHIFT
    add   %1, r14
    add   %1, r9
%endmacro

KERNEL be.mem.dtlb, "pointer chase over more pages than the TLBs hold"
    ITERATIONS  1500
    ARENA       4096 + stlb_entries * 2 * 4096
    PAGES       4K
    LEAF        tma_load_stlb_miss | tma_dtlb_load
    EXPECT  INST_RETIRED.ANY,               n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  DTLB_LOAD_MISSES.WALK_COMPLETED, n * 0.9,       n * 1.1
    EXPECT  MEM_LOAD_RETIRED.L2_HIT,        n * 0.8,        n + 5
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * l2_latency * 1.3,   n * l2_latency * 6
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.7,            1
PREPARE
    lea   r9, [rsi + FIRST_NODE]
    sub   r8, FIRST_NODE
    RING_SIZE r8, PAGE_SHIFT
    RING_OF_POINTERS
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    RING_CHASE
ENDKERNEL
