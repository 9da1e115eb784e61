; Hypothesis: four L1 instruction caches of code in the arena, one jump a line, in an order that the
; next-line prefetcher does not guess, so every line comes from L2 while two instructions need
; half a cycle. All of it lies in one large page, and the jumps are fewer than branch target buffers
; hold. An iteration runs the whole code once, each line one NOP and one jump, the last one RET.
; (The number of lines is a power of two because l1i_size is.)

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

LINE_SHIFT equ 6

; The place within the line comes from the bits of the number above the lowest seven: a target
; buffer indexed by address bits from the fourth up then spreads the jumps over all its sets.
%macro NODE_ADDRESS 2
    mov   r14, %2
    shr   r14, 7
    and   r14d, 3
    shl   r14d, 4
    mov   %1, %2
    shl   %1, LINE_SHIFT
    add   %1, r14
    add   %1, r9
%endmacro

KERNEL fe.icache, "code larger than the L1 instruction cache"
    ITERATIONS  2
    ARENA       l1i_size * 4
    LEAF        tma_code_l2_hit | tma_icache_misses
    EXPECT  INST_RETIRED.ANY,               n * (arena / 64 * 2 + 3),   n * (arena / 64 * 2 + 3)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * (arena / 64 + 2),       n * (arena / 64 + 2)
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * (arena / 64 + 2),       n * (arena / 64 + 2)
    EXPECT  tma_frontend_bound,             0.6,            1
    EXPECT  tma_fetch_latency,              0.5,            1
PREPARE
    mov   r9, rsi
    RING_SIZE r8, LINE_SHIFT
    RING_OF_JUMPS
    ret
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
