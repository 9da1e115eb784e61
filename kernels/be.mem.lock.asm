; Hypothesis: a locked addition waits until all older stores have left the store buffer, and younger
; loads wait for the locked addition. Here the oldest store is to a line of memory that has just
; been flushed, three pages from the line before it, so no prefetcher has fetched it. The locked
; additions behind it are to two lines that L1 owns and cost the latency of a lock each. Nearly all
; cycles are empty while the first of them waits. Where the only events for locks count requests for
; ownership (before Skylake), their formula gives the locks their share of the time of the stores:
; twelve of the thirteen stores here are locked.

%include "kernels/kernel.inc"

LOCKS equ 12                                ; in an iteration
FIRST equ 4096                              ; [arena] keeps the offset of the next line
STEP  equ 193 * 64                          ; an odd number of lines: all are visited in turn

KERNEL be.mem.lock, "locked additions after a store into memory"
    ITERATIONS  50
    ARENA       4096 + 4194304
    MOST        (arena - 4096) / 64 / 2
    LEAF        tma_lock_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 17,         n * 17
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 13,         n * 13
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    n * 12,         n * 12
    EXPECT  CPU_CLK_UNHALTED.THREAD, n * (memory_latency * 0.6 + 12 * 12), n * (memory_latency * 1.6 + 12 * 30)
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.6,            1

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
    mov   qword [rsi + 128], 0
    mov   qword [rsi + 192], 0
    ret
RESET                                       ; flushes the next lines
    FAR_LINES
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
    mov   [r11 + r9], rdi
%rep LOCKS / 2
    lock add qword [rsi + 128], 1
    lock add qword [rsi + 192], 1
%endrep
    add   r9, STEP
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
