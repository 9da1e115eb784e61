; Hypothesis: a store into a line that no cache holds must fetch the line first. Stores retire
; before that and wait in the store buffer; once it is full, nothing more is issued until the oldest
; has its line. No load waits at any time.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

KERNEL be.mem.store, "stores into memory"
    ITERATIONS  1200
    ARENA       4096 + 4194304
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n,              n
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
    mov   [r11 + r9], rdi
    add   r9, STREAM_LINE
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
