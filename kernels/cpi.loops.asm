; Hypothesis: three loops inside each other. The trip counts are constant, so every block runs a
; known number of times, and the innermost block has most of the instructions and of the cycles. The
; multiplications of the middle loop wait for each other; the additions of the innermost loop do so,
; too, in a cycle each.

%include "kernels/kernel.inc"

KERNEL cpi.loops, "three nested loops"
    ITERATIONS  100
    EXPECT  INST_RETIRED.ANY,               n * 66,         n * 66
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 19,         n * 19
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 15,         n * 15
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
CODE
BLOCK .entry, 1
    mov   eax, 1
BLOCK .outer, n
    mov   ecx, 3
    xor   ebx, ebx
BLOCK .middle, n * 3
    mov   edx, 5
    imul  rax, rax, 1000003
BLOCK .inner, n * 15
    add   rax, rdx
    dec   edx
    jnz   .inner                            ; taken four times in five
BLOCK .inner_done, n * 3
    imul  rax, rax, 1000033
    dec   ecx
    jnz   .middle                           ; taken twice in three times
BLOCK .middle_done, n
    lea   rbx, [rbx + rax]
    xor   rax, rbx
    dec   rdi
    jnz   .outer                            ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
