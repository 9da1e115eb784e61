; Hypothesis: stores that bypass the caches are combined in a buffer of one line, and the buffer is
; occupied until memory has the line. No line is fetched for these stores, and yet they are issued
; faster than the few buffers of a core are emptied: the store buffer fills, and it waits neither
; for ownership of a line nor for a translation. An iteration stores to sixteen lines, so that the
; loop's other instructions are few in comparison.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

KERNEL be.mem.streaming, "streaming stores"
    ITERATIONS  50
    ARENA       4096 + 4194304
    LEAF        tma_streaming_stores | tma_store_bound
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 68,         n * 68
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 64,         n * 64
    EXPECT  OCR.STREAMING_WR.ANY_RESPONSE,  n * 15.8,       n * 16.5
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
    EXPECT  tma_store_bound,                0.3,            1
PREPARE
    STREAM_PREPARE
CODE
    STREAM_LOAD_STATE
    pxor  xmm0, xmm0
    align 32
.loop:
%assign i 0
%rep 64
    movntdq [r11 + r9 + i * 16], xmm0
    %assign i i + 1
%endrep
    add   r9, 16 * STREAM_LINE
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
