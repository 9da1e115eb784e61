; Hypothesis: stores that go around the caches are combined, a line in a buffer, and the buffer is kept
; until memory has the line. No line is fetched for them, and yet they come faster than a core's few
; buffers are emptied: the store buffer fills, and what it waits for is neither a line to own nor a
; translation. Sixteen lines an iteration, so that the loop around them is small beside the stores.

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
