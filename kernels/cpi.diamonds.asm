; Hypothesis: the way through three diamonds is chosen by a register that takes each value from 1 to
; 63 once in an iteration (lfsr.inc). So each side runs a known number of times, in an order that
; looks random, and its share of the cycles is neither its share of the instructions nor its
; probability.

%include "kernels/kernel.inc"
%include "kernels/lfsr.inc"

KERNEL cpi.diamonds, "diamonds whose sides have known probabilities"
    ITERATIONS  12
    EXPECT  INST_RETIRED.ANY,               n * 1107,       n * 1107
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 283,       n * 283
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 169,        n * 169
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
CODE 4
BLOCK .entry, 1
    mov   eax, 1
BLOCK .step, n * 63
    LFSR_STEP
    test  al, 1
    jz    .even
BLOCK .odd, n * 32
    add   rbx, rax
    xor   rbx, 3
    jmp   .joined
BLOCK .even, n * 31
    test  al, 6
    jz    .eighth
BLOCK .not_eighth, n * 24                   ; 31 even values less those that eight divides
    sub   rbx, rax
    rol   rbx, 5
    add   rcx, rbx
    jmp   .joined
BLOCK .eighth, n * 7                        ; 8, 16 ... 56
    imul  rbx, rbx, 1000003
    imul  rbx, rbx, 1000033
BLOCK .joined, n * 63
    cmp   al, 6
    jbe   .rare
BLOCK .common, n * 57
    inc   rcx
BLOCK .latch, n * 63
    cmp   eax, 1
    jne   .step                             ; taken, except at the end of the period
BLOCK .period, n
    dec   rdi
    jnz   .step                             ; taken, except the last time
BLOCK .leave, 1
    ret
BLOCK .rare, n * 6                          ; 1 ... 6
    imul  rcx, rbx
    imul  rcx, rcx, 17
    imul  rcx, rcx, 19
    jmp   .latch
ENDKERNEL
