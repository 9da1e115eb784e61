; Hypothesis: a turn is a hundred parts, and the dose says how many of them are sixteen stores that
; cross the end of a cache line, which leave the store buffer one in two cycles; the others are chains
; of additions that take about as long. What is left in the store buffer drains under the first
; additions: a few parts of a hundred. So the share of the slots that stores cost rises nearly in a
; straight line with the dose.

%include "kernels/kernel.inc"

STORES equ 16
LINE   equ 64
PARTS  equ 100

KERNEL mix.mem.store, "split stores among additions, by dose"
    ITERATIONS  4
    ARENA       4096
    PAGES       4K
    LEAF        tma_store_bound
    DOSES       11
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * (3408 - 16 * dose), n * (3408 - 16 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,        n * 103
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 16 * dose,  n * 16 * dose
PREPARE
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    add   eax, 8
    cmp   eax, (STORES + 1) * LINE
    jb    .clear
    ret
CODE
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts that add
.turn:
    mov   rcx, r9
    test  rcx, rcx
    jz    .add
.store:
%assign i 0
%rep STORES
    mov   [rsi + i * LINE + LINE - 4], rdi
%assign i i + 1
%endrep
    dec   rcx
    jnz   .store
.add:
    mov   rcx, rbx
    test  rcx, rcx
    jz    .done
.part:
%rep 2 * STORES
    add   rdx, 1
%endrep
    dec   rcx
    jnz   .part
.done:
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
