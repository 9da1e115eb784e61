; A program as programs are: insertion sort. How far a value goes is decided by a branch that follows
; no pattern, and each value that moves is read soon after it was written.
;
; A value moves once for each inversion: a pair that is in the wrong order. An iteration sorts 16
; different numbers, and their complements: each of the 120 pairs is an inversion in exactly one of the
; two arrays. The number before an array is 0, so that every value finds its place by the same branch.
;
; Hypothesis: of random numbers the i-th finds its place among the i before it at each of i + 1
; places alike. While r places are left beyond this one it is here with a chance of 1 in r + 1, so
; who predicts best predicts `not here` until none is left, and is wrong i times of i + 1. Over the
; 15 numbers of an array that is 16 less the 16th harmonic number, 12.6 mispredictions that no
; predictor can spare; a window of 2n less one of n moves them by 1.34 times the root of 3 n, 10 of
; 252, and the bound leaves room for five times as much. The complements may be predicted from the
; numbers, by a long history, or be as bad. Two mispredictions for each of the 30 numbers are the
; most that is claimed (a guess).
;
; As in prog.search a misprediction wastes six times the width of slots or more, and the front end may
; lose 15 cycles (a guess). With no more than 12.6 of them on a core of four slots 302 are wasted, 756
; lost, and 1141 retire: an eighth or more is bad speculation. Three quarters of
; that are claimed.

%include "kernels/kernel.inc"

NUMBERS    equ 16
SENTINEL   equ 60                           ; [arena] keeps the last number
ARRAY      equ SENTINEL + 4
MIRROR     equ ARRAY + NUMBERS * 4 + 64
SENTINEL_2 equ MIRROR - 4

; Sorts the array at %2: 2 instructions; 15 times 9; 6 for each inversion. Labels begin with %1. How
; many of the inversions one of the two arrays has is not known.
%macro SORT 2
    lea   rbx, [rsi + %2]
    mov   ecx, 1
BLOCK %1_next, n * 15
    mov   eax, [rbx + rcx * 4]
    mov   rdx, rcx
BLOCK %1_compare, -1
    mov   r8d, [rbx + rdx * 4 - 4]
    cmp   r8d, eax
    jbe   %1_place
BLOCK %1_shift, -1
    mov   [rbx + rdx * 4], r8d
    dec   rdx
    jmp   %1_compare
BLOCK %1_place, n * 15
    mov   [rbx + rdx * 4], eax
    inc   ecx
    cmp   ecx, NUMBERS
    jne   %1_next
%endmacro

KERNEL prog.sort, "insertion sort"
    LEVEL       3
    LEAF        tma_branch_mispredicts
    ITERATIONS  20
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 1141,       n * 1141
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 317,        n * 317
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 194,        n * 194
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 180,        n * 180
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 182,        n * 182
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 10,         n * 60
    EXPECT  tma_bad_speculation,            0.1,            0.95
PREPARE
    mov   dword [rsi], 1
    mov   dword [rsi + SENTINEL], 0
    mov   dword [rsi + SENTINEL_2], 0
    ret
CODE 1
BLOCK .entry, 1
    mov   r10d, [rsi]
BLOCK .round, n                             ; 1 instruction, 16 x 9, 2 x (2 + 15 x 9), 120 x 6, 2
    xor   ecx, ecx
BLOCK .number, n * 16                       ; a linear congruential generator does not repeat itself
    imul  r10d, r10d, 1664525
    add   r10d, 1013904223
    mov   [rsi + rcx * 4 + ARRAY], r10d
    mov   eax, r10d
    not   eax
    mov   [rsi + rcx * 4 + MIRROR], eax
    inc   ecx
    cmp   ecx, NUMBERS
    jne   .number
BLOCK .array, n
    SORT .array, ARRAY
BLOCK .mirror, n
    SORT .mirror, MIRROR
BLOCK .again, n
    dec   rdi
    jnz   .round
BLOCK .leave, 1
    mov   [rsi], r10d
    ret
ENDKERNEL
