; Hypothesis: independent loads, each from the next line of memory, which has just been flushed from
; every cache, miss together, as many at a time as fill buffers and prefetchers allow. Memory is the
; bottleneck, yet the time per load is far below a memory latency.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

KERNEL be.mem.bandwidth, "independent loads from memory"
    ITERATIONS  1200
    ARENA       4096 + 8388608
    MOST        (arena - 4096) / 64 / 2
    LEAF        tma_mem_bandwidth
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  CPU_CLK_UNHALTED.THREAD, n * memory_latency / fill_buffers / 4, n * memory_latency / 3
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.5,            1
PREPARE
    STREAM_PREPARE
RESET
    STREAM_RESET
CODE
    STREAM_LOAD_STATE
    align 32
.loop:
    mov   rax, [r11 + r9]
    add   r9, STREAM_LINE
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
