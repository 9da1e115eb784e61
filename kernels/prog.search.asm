; A program as programs are: binary search in a sorted array. Each step asks for a value and turns by
; it to the lower or the upper half, so mispredicted branches and the latency of loads take turns.
;
; The array has 4096 values, so a search takes 12 steps. It turns to the upper half once for each bit
; that is set in the place it finds. An iteration searches a place by chance, and then the place whose
; bits are the others: together they turn to the upper half 12 times, and 12 times to the lower.
;
; Hypothesis: the first search is twelve tosses of a coin. No predictor, of whatever kind, is right
; for more than half of them, since the place is by chance and no place is asked for twice in the
; same order: six are mispredicted, and a window of 2n less one of n moves that by the root of 9 n,
; which is 37 of 900; what is claimed leaves room for five times as much. The second search may be
; predicted from the first, by a long history, or be as bad: 12 at most, and a few ends.
;
; A turn is known six cycles after it was issued or later, when its load and the comparison are done,
; and by then six times the width of slots are wasted. Even if six turns are all that is mispredicted,
; on a core of four slots 144 are wasted beside the 147 that retire. Where the front end takes 15
; cycles to come back (a guess) it loses 360 more: a fifth of the slots is bad speculation. Three
; quarters of that are claimed, since a core may lose slots to something else as well.

%include "kernels/kernel.inc"

VALUES    equ 4096
VALUES_AT equ 64                            ; [arena] keeps the number that the place follows from

; rax = the place of the value in r11. 2 instructions, 12 x 5, one for each turn to the upper half,
; and one. Labels begin with %1. How often one of the two searches turns up is not known.
%macro SEARCH 1
    xor   eax, eax
    mov   ecx, VALUES / 2
BLOCK %1_step, n * 12
    lea   rdx, [rax + rcx]
    cmp   r11, [rsi + rdx * 8 + VALUES_AT]
    jb    %1_lower
BLOCK %1_upper, -1
    mov   rax, rdx
BLOCK %1_lower, n * 12
    shr   ecx, 1
    jnz   %1_step                           ; taken 11 times
BLOCK %1_found, n
    add   rbx, rax
%endmacro

KERNEL prog.search, "binary search in a sorted array"
    LEVEL       3
    LEAF        tma_branch_mispredicts
    ITERATIONS  150
    ARENA       64 + 4096 * 8
    EXPECT  INST_RETIRED.ANY,               n * 147,        n * 147
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 49,         n * 49
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 35,         n * 35
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 24,         n * 24
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 4.8,        n * 21
    EXPECT  tma_bad_speculation,            0.15,           0.95
PREPARE                                     ; value i is 3 i
    mov   qword [rsi], 1
    xor   eax, eax
    xor   edx, edx
.value:
    mov   [rsi + rdx * 8 + VALUES_AT], rax
    add   rax, 3
    inc   edx
    cmp   edx, VALUES
    jne   .value
    ret
CODE
BLOCK .entry, 1
    mov   r10d, [rsi]
    xor   ebx, ebx
BLOCK .pair, n                              ; 5 instructions, 2 x 63 and 12, 2 and 2
    imul  r10d, r10d, 1664525
    add   r10d, 1013904223
    mov   r11d, r10d
    shr   r11d, 20                          ; the place
    lea   r11d, [r11 + r11 * 2]
    SEARCH .place
    neg   r11
    add   r11, 3 * (VALUES - 1)
    SEARCH .mirror
    dec   rdi
    jnz   .pair
BLOCK .leave, 1
    mov   [rsi], r10d
    ret
ENDKERNEL
