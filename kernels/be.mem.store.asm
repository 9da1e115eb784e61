; Hypothesis: a store into a line that no cache holds must fetch the line first. The stores retire
; before that and wait in the store buffer; once it is full, nothing more is issued until the oldest
; store has its line. No load waits at any time. An iteration stores to sixteen lines, so that the
; loop's other instructions are few in comparison.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

KERNEL be.mem.store, "stores into memory"
    ITERATIONS  75
    ARENA       4096 + 8388608
    MOST        (arena - 4096) / 64 / 16 / 2
    LEAF        tma_store_bound
    EXPECT  INST_RETIRED.ANY,               n * 20,         n * 20
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 16,         n * 16
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.5,            1
PREPARE
    STREAM_PREPARE
RESET
    shl   rdi, 4                            ; rdi = lines
    STREAM_RESET
CODE
    STREAM_LOAD_STATE
    align 32
.loop:
%assign i 0
%rep 16
    mov   [r11 + r9 + i * STREAM_LINE], rdi
    %assign i i + 1
%endrep
    add   r9, 16 * STREAM_LINE
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
