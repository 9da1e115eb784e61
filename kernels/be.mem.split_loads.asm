; Hypothesis: a load that crosses the end of a cache line occupies a split register until both
; halves are there, and a core has few split registers. Here sixteen such loads ask for the same two
; lines of the L3 cache: the first loads wait for the lines and occupy all split registers, and the
; other loads wait for a register. Two misses never fill the fill buffers, and the steps are too
; long for prefetchers. The wait for L3 is long compared with the time that the loads themselves
; take, so nearly all cycles are empty. PREPARE writes the lines: an L3 that gets what leaves L2 may
; drop a line that was only read, but not one that was written.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

LOADS equ 16                                ; of the same two lines
STEP  equ 37 * 2 * STREAM_LINE              ; an odd number of pairs of lines: reaches all pairs

KERNEL be.mem.split_loads, "loads that cross the end of a line"
    ITERATIONS  150
    ARENA       4096 + l2_size * 3
    LEAF        tma_split_loads
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 20,         n * 20
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 16,         n * 16
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_INST_RETIRED.SPLIT_LOADS,   n * 16,         n * 16
    EXPECT  LD_BLOCKS.NO_SR,                n * 4,          n * 16 * l3_latency
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * l3_latency * 0.7 if l3_size >= l2_size * 1.5 else NA, n * (l3_latency * 1.5 + 16 * 6)
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_memory_bound,               0.3,            1
PREPARE                                     ; brings the lines into L3, in the order of CODE
    mov   qword [rsi], 0
    STREAM_LOAD_STATE
    lea   rcx, [r10 + 1]
    shr   rcx, 7
.touch:
    mov   [r11 + r9], rax
    mov   [r11 + r9 + STREAM_LINE], rax
    add   r9, STEP
    and   r9, r10
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
