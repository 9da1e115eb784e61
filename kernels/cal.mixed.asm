; Hypothesis: calls and returns (direct, indirect and nested), conditional branches in both
; directions and the instructions between them are counted exactly, each in its own kind. The kernel
; expects nothing of loads and stores: whether a RET is a load is a matter of definition. cal.loads
; and cal.stores have no such case.

%include "kernels/kernel.inc"

KERNEL cal.mixed, "calls, returns, and branches in both directions"
    ITERATIONS  300
    EXPECT  INST_RETIRED.ANY,               n * 19,         n * 19
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 11,         n * 11
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 9,          n * 9
    EXPECT  BR_INST_RETIRED.NEAR_CALL,      n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n * 3,          n * 3
CODE 10
    lea   r9, [.leaf]
    jmp   .loop
.leaf:
    inc   rcx
    ret                                     ; to .outer and to .loop
.outer:
    add   rdx, rcx
    call  .leaf
    sub   rdx, 1
    ret
.loop:
    call  .outer
    call  r9
    cmp   rdi, 0
    je    .done                             ; not taken
    cmp   rdi, 0
    ja    .over                             ; taken
    int3
.over:
    jb    .done                             ; not taken
    xor   eax, eax
    jz    .end                              ; taken
    int3
.end:
    dec   rdi
    jnz   .loop                             ; taken, except the last time
.done:
    ret
ENDKERNEL
