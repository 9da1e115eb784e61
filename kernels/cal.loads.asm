; Hypothesis: an instruction that reads memory is one load, whatever its width and whether it also
; computes.

%include "kernels/kernel.inc"

KERNEL cal.loads, "eight loads an iteration"
    ITERATIONS  500
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 1,          n * 1
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 1,          n * 1
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
CODE
.loop:
    mov   rax, [rsi]
    mov   ecx, [rsi + 64]
    movzx edx, word [rsi + 128]
    movzx ebx, byte [rsi + 192]
    add   r9, [rsi + 256]
    cmp   [rsi + 320], r9
    movdqa xmm0, [rsi + 384]
    movsd xmm1, [rsi + 448]
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
