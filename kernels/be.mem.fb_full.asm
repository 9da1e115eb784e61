; Hypothesis: loads that depend on nothing, each from another line of half the L2 cache, miss L1 far
; faster than L2 answers. Every fill buffer is busy, and what holds a load up is that none is free,
; rather than the latency of L2.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

LINES equ 16                                ; an iteration

KERNEL be.mem.fb_full, "independent loads from the L2 cache"
    ITERATIONS  150
    ARENA       4096 + l2_size / 2
    LEAF        tma_fb_full
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 20,         n * 20
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 16,         n * 16
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 16 * l2_latency / fill_buffers * 0.7, n * 16 * l2_latency / 3
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
%assign i 0
%rep LINES
    mov   rax, [r11 + r9 + i * STREAM_LINE]
%assign i i + 1
%endrep
    add   r9, LINES * STREAM_LINE
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
