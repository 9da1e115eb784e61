; Hypothesis: code on twice as many 4 KiB pages as the instruction TLB has entries, one line on
; each, is visited cyclically, so every jump waits for a translation from the second-level TLB. The
; lines are spread over the sets of the caches (four lines in each set of an L1 instruction cache of
; 64 sets), so none of them misses. An iteration runs the whole code once: one NOP and one jump on
; each page, on the last a RET instead of the jump. (The number of pages is a power of two because
; itlb_entries is one.)

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

PAGE_SHIFT equ 12

%macro NODE_ADDRESS 2
    mov   r14, %2
    and   r14d, 63
    shl   r14d, 6
    mov   %1, %2
    shl   %1, PAGE_SHIFT
    add   %1, r14
    add   %1, r9
%endmacro

KERNEL fe.itlb, "code on more pages than the instruction TLB holds"
    ITERATIONS  6
    ARENA       itlb_entries * 2 * 4096
    PAGES       4K
    LEAF        tma_code_stlb_hit | tma_itlb_misses
    EXPECT  INST_RETIRED.ANY,               n * (arena / 4096 * 2 + 3), n * (arena / 4096 * 2 + 3)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * (arena / 4096 + 2),     n * (arena / 4096 + 2)
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * (arena / 4096 + 2),     n * (arena / 4096 + 2)
    EXPECT  ICACHE_TAG.STALLS / CPU_CLK_UNHALTED.THREAD,    0.25,       1
    EXPECT  ITLB_MISSES.STLB_HIT + ITLB_MISSES.WALK_COMPLETED, \
            n * arena / 4096 * 0.85,        n * arena / 4096 * 1.2
    EXPECT  tma_frontend_bound,             0.6,            1
    EXPECT  tma_fetch_latency,              0.5,            1
PREPARE
    mov   r9, rsi
    RING_SIZE r8, PAGE_SHIFT
    RING_OF_JUMPS
    ret
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
