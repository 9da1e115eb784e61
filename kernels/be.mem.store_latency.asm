; Hypothesis: each store is to a line of memory that has just been flushed, three pages from the
; line before it, so no prefetcher has fetched it. The stores retire and wait in the store buffer
; for their lines, as many at a time as there are fill buffers. No other core has the lines, no
; store crosses a line, and no load waits.

%include "kernels/kernel.inc"

STORES equ 4                                ; in an iteration
FIRST  equ 4096                             ; [arena] keeps the offset of the next line
STEP   equ 193 * 64                         ; an odd number of lines: all are visited in turn

KERNEL be.mem.store_latency, "stores into memory, far apart"
    ITERATIONS  150
    ARENA       4096 + 4194304
    MOST        (arena - 4096) / 64 / 4 / 2
    LEAF        tma_store_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 14,         n * 14
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 4,          n * 4
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.5,            1
    EXPECT  tma_store_bound,                0.5,            1

%macro FAR_LINES 0                          ; r9 = offset, r10 = mask, r11 = address of offset 0
    sub   r8, FIRST
    bsr   rcx, r8
    mov   r10d, 1
    shl   r10, cl
    dec   r10
    lea   r11, [rsi + FIRST]
    mov   r9, [rsi]
%endmacro

PREPARE
    mov   qword [rsi], 0
    ret
RESET                                       ; flushes the next lines
    FAR_LINES
    shl   rdi, 2
.flush:
    clflush [r11 + r9]
    add   r9, STEP
    and   r9, r10
    dec   rdi
    jnz   .flush
    mfence
    ret
CODE
    FAR_LINES
    align 32
.loop:
%rep STORES
    mov   [r11 + r9], rdi
    add   r9, STEP
    and   r9, r10
%endrep
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
