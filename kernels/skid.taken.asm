; Hypothesis: one branch an iteration is taken, and it leads back. A sample of taken branches that names
; another instruction is that many instructions late. Each NOT waits for the one before it, so the loop
; retires one instruction a cycle, and a distance in it is a time; NOT leaves the flags of DEC alone.

%include "kernels/kernel.inc"

KERNEL skid.taken, "one taken branch among 480 instructions"
    ITERATIONS  20
    CAUSE   .back, steady, BR_INST_RETIRED.NEAR_TAKEN | BR_INST_RETIRED.ALL_BRANCHES
    EXPECT  INST_RETIRED.ANY,               n * 480,        n * 480
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN | BR_INST_RETIRED.ALL_BRANCHES,      n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 475,        n * 490
CODE 1
BLOCK .entry, 1
    xor   eax, eax
BLOCK .loop, n
%rep 239
    not   rax
%endrep
    dec   rdi
%rep 239
    not   rax
%endrep
.back:
    jnz   .loop
BLOCK .leave, 1
    ret
ENDKERNEL
