; Hypothesis: independent loads read the next lines of eight streams through memory that has just
; been flushed from every cache. The requests of the fill buffers and those of the L2 prefetchers,
; which run ahead of every stream, wait in one queue between L2 and the rest of the system (the
; super queue), and it is often full. No line comes from the L3 cache.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

STREAMS equ 8
STREAM  equ 8388608 / STREAMS               ; bytes of a stream
LINES   equ 2                               ; of each stream in an iteration; 32 are a page

%macro ALL_LINES 1                          ; does %1 to every line of an iteration and moves r9 on
%assign line 0
%rep LINES
%assign stream 0
%rep STREAMS
    %1  [r11 + r9 + stream * STREAM + line * STREAM_LINE]
%assign stream stream + 1
%endrep
%assign line line + 1
%endrep
    add   r9, LINES * STREAM_LINE
    and   r9d, STREAM - 1
%endmacro

KERNEL be.mem.sq_full, "more lines requested than the queue beyond L2 holds"
    ITERATIONS  192
    ARENA       4096 + 8388608
    MOST        (arena - 4096) / 64 / 16 / 2
    LEAF        tma_sq_full
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 20,         n * 20
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 16,         n * 16
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.5,            1
    EXPECT  tma_sq_full,                    0.2,            1
PREPARE
    STREAM_PREPARE
RESET                                       ; flushes the next lines
    STREAM_LOAD_STATE
.flush:
    ALL_LINES clflush
    dec   rdi
    jnz   .flush
    mfence
    ret
CODE
    STREAM_LOAD_STATE
    align 32
.loop:
    ALL_LINES { mov rax, }
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
