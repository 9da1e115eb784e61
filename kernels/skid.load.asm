; Hypothesis: one instruction of the loop loads. It waits for no NOT, so it is executed early, but it
; retires in its turn: the loop retires one instruction a cycle, and a distance in it is a time.

%include "kernels/kernel.inc"

KERNEL skid.load, "one load among 480 instructions"
    ITERATIONS  20
    ARENA       64
    CAUSE   .load, steady, MEM_INST_RETIRED.ALL_LOADS | MEM_UOPS_RETIRED.ALL_LOADS | MEM_INST_RETIRED.LOADS
    EXPECT  INST_RETIRED.ANY,               n * 480,        n * 480
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS | MEM_UOPS_RETIRED.ALL_LOADS | MEM_INST_RETIRED.LOADS,   n,  n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 475,        n * 490
CODE
BLOCK .entry, 1
    xor   eax, eax
    xor   ecx, ecx
BLOCK .loop, n
%rep 100
    not   rax
%endrep
.load:
    mov   rcx, [rsi]
%rep 188
    not   rax
%endrep
    dec   rdi
%rep 189
    not   rax
%endrep
    jnz   .loop
BLOCK .leave, 1
    ret
ENDKERNEL
