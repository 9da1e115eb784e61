; Hypothesis: a load that crosses the end of a cache line keeps a split register until both halves are
; there, and a core has few of them. Here many such loads at a time ask for the same two lines of
; half the L2 cache: the first of them wait for the lines and hold every register, the others wait
; for those. Two misses never fill the fill buffers, and the steps are too long for prefetchers.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

LOADS equ 32                                ; of two lines
STEP  equ 37 * 2 * STREAM_LINE              ; an odd number of pairs of lines: reaches all of them

KERNEL be.mem.split_loads, "loads that cross the end of a line"
    ITERATIONS  150
    ARENA       4096 + l2_size / 2
    LEAF        tma_split_loads
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 36,         n * 36
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 32,         n * 32
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_INST_RETIRED.SPLIT_LOADS,   n * 32,         n * 32
    EXPECT  LD_BLOCKS.NO_SR,                n * 4,          n * 32 * l2_latency
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 16,         n * 32 * 6
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_memory_bound,               0.3,            1
PREPARE                                     ; brings the lines into L2
    mov   qword [rsi], 0
    STREAM_LOAD_STATE
    lea   rcx, [r10 + 1]
    shr   rcx, 6
.touch:
    mov   rax, [r11 + r9]
    add   r9, STREAM_LINE
    dec   rcx
    jnz   .touch
    ret
CODE
    STREAM_LOAD_STATE
    align 32
.loop:
%rep LOADS
    mov   rax, [r11 + r9 + STREAM_LINE - 4]
%endrep
    add   r9, STEP
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
