; A program as programs are: strings are copied byte by byte up to their zero. The end of a string is
; a branch that a predictor has to learn, and each byte is a load and a store.
;
; Hypothesis: no byte waits for the one before, and all of them are in L1. So a core takes as long as
; its width does: of 741 instructions 129 are branches that may be one uop with what they test, which
; leaves 612 slots. What it may lose on top are the ends of strings. Who predicts another byte each
; time is wrong eight times a round; twice that, where an end is predicted too soon as often, is a
; guess. A misprediction takes 32 cycles at most (a guess). A store has five slots, which is more than
; a cycle on a core that commits one store to a line each cycle (four slots wide) and half a cycle and
; more where two are committed. So that memory is to blame for a third of the slots would take a core
; whose stores are slower than its width allows.
;
; The eight strings have 5, 17, 3, 31, 11, 7, 23 and 15 bytes: 112, and 120 with their zeros.

%include "kernels/kernel.inc"

STRINGS equ 64                              ; where they are in the arena
COPIES  equ 4096 + 192                      ; not the same offset in a page of 4 KiB

KERNEL prog.copy, "strings are copied byte by byte"
    LEVEL       3
    ITERATIONS  32
    ARENA       8192
    EXPECT  INST_RETIRED.ANY,               n * 741,        n * 741
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 129,        n * 129
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 120,        n * 120
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 120,        n * 120
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 120,        n * 120
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   -128,           n * 16
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 612 / width * 0.95, \
                n * (741 / width * 1.5 + 16 * 32)
    EXPECT  tma_memory_bound,               0,              0.35
PREPARE                                     ; the zeros are all that matters
    lea   rbx, [rsi + STRINGS]
%macro STRING_OF 1
    mov   ecx, %1
%%byte:
    mov   byte [rbx], 'a'
    inc   rbx
    dec   ecx
    jnz   %%byte
    mov   byte [rbx], 0
    inc   rbx
%endmacro
    STRING_OF 5
    STRING_OF 17
    STRING_OF 3
    STRING_OF 31
    STRING_OF 11
    STRING_OF 7
    STRING_OF 23
    STRING_OF 15
    ret
CODE 5
.round:                                     ; 3 instructions, 120 x 6, 8 x 2 and 2
    lea   rbx, [rsi + STRINGS]
    lea   rdx, [rsi + COPIES]
    mov   ecx, 8
.byte:
    movzx eax, byte [rbx]
    mov   [rdx], al
    inc   rbx
    inc   rdx
    test  eax, eax
    jnz   .byte                             ; taken 112 times
    dec   ecx
    jnz   .byte                             ; taken 7 times: the next string
    dec   rdi
    jnz   .round
    ret
ENDKERNEL
