; Hypothesis: a fence costs what the loads and stores before it need, and the next instruction what the fence holds
; up; the cheap ones between them next to nothing.

%include "kernels/kernel.inc"

KERNEL cpi.fences, "fences of three kinds among cheap instructions"
    ITERATIONS  60
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 24,         n * 24
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
CODE 8
BLOCK .entry, 1
    xor   eax, eax
BLOCK .loop, n
    mov   [rsi + 64], rax
    add   rbx, 3
    xor   rbx, rax
    mfence
    add   rcx, rbx
    lea   rdx, [rcx + 5]
    mov   rax, [rsi + 128]
    lfence
    add   rbx, rax
    rol   rbx, 7
    imul  rcx, rbx
    mov   [rsi + 192], rcx
    sfence
    inc   r8
    lea   r9, [r8 + rcx]
    xor   r9, 9
    lock inc qword [rsi + 256]
    add   rbx, 1
    add   rcx, 1
    add   rdx, 1
    xor   rbx, rcx
    xor   rbx, rdx
    dec   rdi
    jnz   .loop                             ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
