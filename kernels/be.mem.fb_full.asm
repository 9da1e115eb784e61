; Hypothesis: independent loads, each from another line of the L3 cache, miss L1 far faster than L3
; answers. Every fill buffer is busy, and a load waits for a free fill buffer rather than for the
; latency of L3. One load completes in every (latency of L3 / number of fill buffers) cycles, so
; nearly every cycle is empty. From L2 about one load would complete in every cycle, and then
; formulas that weigh cycles would find another share of memory than the slots show. The loads visit
; pairs of lines that are far apart, since the prefetchers of L2 would run ahead of a stream. PREPARE
; writes the lines: an L3 that gets what leaves L2 may drop a line that was only read, but not one
; that was written.

%include "kernels/kernel.inc"
%include "kernels/stream.inc"

PAIRS equ 8                                 ; in an iteration
STEP  equ 37 * 2 * STREAM_LINE              ; an odd number of pairs of lines: reaches all pairs
TURN  equ PAIRS * STEP                      ; the last pairs of an iteration may be beyond the data

%macro WRITE_PAIRS 0
%assign i 0
%rep PAIRS
    mov   [r11 + r9 + i * STEP], rax
    mov   [r11 + r9 + i * STEP + STREAM_LINE], rax
%assign i i + 1
%endrep
    add   r9, TURN
    and   r9, r10
%endmacro

%macro TOUCH_PAIRS 0
%assign i 0
%rep PAIRS
    mov   rax, [r11 + r9 + i * STEP]
    mov   rax, [r11 + r9 + i * STEP + STREAM_LINE]
%assign i i + 1
%endrep
    add   r9, TURN
    and   r9, r10
%endmacro

KERNEL be.mem.fb_full, "independent loads from the L3 cache"
    ITERATIONS  150
    ARENA       4096 + l2_size * 3 + 37888  ; 37888 = TURN
    LEAF        tma_fb_full
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 20,         n * 20
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 16,         n * 16
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 16 * l3_latency / fill_buffers * 0.7 if l3_size >= l2_size * 1.5 else NA, n * 16 * l3_latency / 3
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_memory_bound,               0.3,            1
PREPARE                                     ; brings the lines into L3, in the order of CODE
    mov   qword [rsi], 0
    sub   r8, TURN
    STREAM_LOAD_STATE
    lea   rcx, [r10 + 1]
    shr   rcx, 10
.write:
    WRITE_PAIRS
    dec   rcx
    jnz   .write
    ret
CODE
    sub   r8, TURN
    STREAM_LOAD_STATE
    align 32
.loop:
    TOUCH_PAIRS
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
