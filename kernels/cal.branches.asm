; Hypothesis: an iteration has seven branches, of which the same five are taken each time. So the
; counts are exact, and the branch records hold the addresses listed below. The last iteration
; leaves the loop by a branch that is not taken, which the difference of two windows cancels against
; the taken RET; the records therefore begin inside the loop.

%include "kernels/kernel.inc"

KERNEL cal.branches, "seven branches an iteration, five of them taken"
    ITERATIONS  600
    EXPECT  INST_RETIRED.ANY,               n * 9,          n * 9
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 7,          n * 7
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 5,          n * 5
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    BRANCHES .d, .bottom,  .c, .d,  .b, .c,  .a, .b
    BRANCHES .back, .loop, .d, .bottom,  .c, .d,  .b, .c,  .a, .b
    BRANCHES .back, .loop, .d, .bottom,  .c, .d,  .b, .c,  .a, .b
CODE
.loop:
    test  rdi, rdi
    jz    .never                            ; not taken
.a: jnz   .b                                ; taken
    int3
.d: jns   .bottom                           ; taken, forwards
    int3
.c: jmp   .d                                ; taken, backwards
    int3
.b: jmp   .c                                ; taken, backwards
    int3
.bottom:
    js    .never                            ; not taken
    dec   rdi
.back:
    jnz   .loop                             ; taken, except the last time
.never:
    ret
ENDKERNEL
