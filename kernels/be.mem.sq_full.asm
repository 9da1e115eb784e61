; Hypothesis: loads that depend on nothing, each from the next line of memory just flushed from every
; cache. What the fill buffers ask for and what the prefetchers of L2 ask for besides wait in one queue
; between L2 and the rest, and it is full most of the time. No line comes from the L3 cache.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

LINES equ 16                                ; an iteration

KERNEL be.mem.sq_full, "more lines asked for than the queue beyond L2 holds"
    ITERATIONS  60
    ARENA       4096 + 4194304
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
RESET
    shl   rdi, 4                            ; lines
    STREAM_RESET
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
