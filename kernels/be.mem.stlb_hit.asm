; Hypothesis: the loads visit one line on each of twice as many 4 KiB pages as the first-level data
; TLB holds, far fewer than the second-level TLB holds. Every load hits L1, since each line has its
; own set, but its translation comes from the second-level TLB, which costs more than the load
; itself.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

PAGE_SHIFT equ 12
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2                       ; on page n the line n modulo 64
    mov   r14, %2
    and   r14d, 63
    shl   r14d, 6
    mov   %1, %2
    shl   %1, PAGE_SHIFT
    add   %1, r14
    add   %1, r9
%endmacro

KERNEL be.mem.stlb_hit, "pointer chase over more pages than the first-level TLB holds"
    ITERATIONS  250
    ARENA       4096 + dtlb_entries * 2 * 4096
    PAGES       4K
    LEAF        tma_load_stlb_hit | tma_dtlb_load
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 6,          n * 6
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 4,          n * 4
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L1_HIT,        n * 4 * 0.98,   n * 4 + 5
    EXPECT  DTLB_LOAD_MISSES.STLB_HIT,      n * 4 * 0.95,   n * 4 * 1.1
    EXPECT  DTLB_LOAD_MISSES.WALK_COMPLETED, 0,             n * 4 * 0.05
    EXPECT  CPU_CLK_UNHALTED.THREAD, n * 4 * (l1_latency + 4), n * 4 * (l1_latency + 14)
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.7,            1
    EXPECT  tma_l1_bound,                   0.6,            1
    EXPECT  tma_dtlb_load,                  0.4,            1
PREPARE
    lea   r9, [rsi + FIRST_NODE]
    sub   r8, FIRST_NODE
    RING_SIZE r8, PAGE_SHIFT
    RING_OF_POINTERS
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    RING_CHASE 4
ENDKERNEL
