; A program as programs are: numbers are divided, and the remainders stored all over a table. The
; divider takes its time for each number, and the stores miss L1.
;
; Hypothesis: the divider is to blame. No division waits for another one: numbers follow one another
; by a multiplication and an addition, four cycles, and a division keeps the divider busy for six at
; least. Nothing waits for a store. So the divider is busy for half of the cycles or more: all, but
; for the microcode of a division before Ice Lake, whose ten uops take slots of their own and two
; switches of the front end.

%include "kernels/kernel.inc"

PLACES equ 65536                            ; of 8 bytes: more than L1, less than L2
TABLE  equ 64                               ; [arena] keeps the last number

KERNEL prog.divide, "divisions with scattered stores"
    LEVEL       3
    LEAF        tma_divider
    ITERATIONS  1600
    ARENA       64 + 65536 * 8
    EXPECT  INST_RETIRED.ANY,               n * 14,         n * 14
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * div_throughput * 0.9,   n * div_throughput * 2
    EXPECT  ARITH.DIV_ACTIVE / CPU_CLK_UNHALTED.THREAD | \
                ARITH.DIVIDER_ACTIVE / CPU_CLK_UNHALTED.THREAD, 0.5, 1.01
    EXPECT  tma_divider,                    0.5,            1
PREPARE                                     ; every place is in the caches as far as they go
    mov   dword [rsi], 1
    xor   ecx, ecx
.place:
    mov   qword [rsi + rcx * 8 + TABLE], 0
    inc   ecx
    cmp   ecx, PLACES
    jne   .place
    ret
CODE
    mov   r10d, [rsi]
.number:
    imul  r10d, r10d, 1664525
    add   r10d, 1013904223
    mov   ecx, r10d
    shr   ecx, 20
    or    ecx, 1                            ; by 1 to 4095
    mov   eax, r10d
    xor   edx, edx
    div   ecx
    mov   r8d, r10d
    shr   r8d, 8
    and   r8d, PLACES - 1
    mov   [rsi + r8 * 8 + TABLE], edx
    dec   rdi
    jnz   .number
    mov   [rsi], r10d
    ret
ENDKERNEL
