; A program as programs are: the dot product of two vectors. The products do not depend on each
; other; the additions are one chain, with the latency of an addition in each iteration. The vectors
; are more than L1 and less than L2, and are read in order.
;
; Hypothesis: each addition waits for the one before, two cycles (Golden Cove at best) to five
; (Prescott), and a line of both vectors has the time of eight of them to come from L2. In the time
; of an addition twelve uops can be issued at least (three cycles of four, or two of six) and seven
; are. So the back end has five of twelve slots or more, and a third where the front end loses some.

%include "kernels/kernel.inc"

DOUBLES equ 8192                            ; of each vector, 64 KiB; a power of two
FIRST   equ 64                              ; [arena] keeps the place in the vectors
SECOND  equ FIRST + DOUBLES * 8 + 1024

KERNEL prog.dot, "dot product of two vectors"
    LEVEL       3
    ITERATIONS  3000
    ARENA       64 + 1024 + 2 * 8192 * 8
    EXPECT  INST_RETIRED.ANY,               n * 7,          n * 7
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 2,          n * 2
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 2 * 0.97,   n * 5 * 1.1
    EXPECT  tma_backend_bound,              0.33,           1
PREPARE                                     ; element i is i, as a double
    mov   qword [rsi], 0
    xor   ecx, ecx
.element:
    cvtsi2sd xmm0, ecx
    movsd [rsi + rcx * 8 + FIRST], xmm0
    movsd [rsi + rcx * 8 + SECOND], xmm0
    inc   ecx
    cmp   ecx, DOUBLES
    jne   .element
    ret
CODE
    mov   r10, [rsi]
    xorps xmm1, xmm1
.element:
    movsd xmm0, [rsi + r10 + FIRST]
    mulsd xmm0, [rsi + r10 + SECOND]
    addsd xmm1, xmm0
    add   r10d, 8
    and   r10d, DOUBLES * 8 - 1
    dec   rdi
    jnz   .element
    mov   [rsi], r10
    ret
ENDKERNEL
