; Hypothesis: the return stack predicts for every RET the address behind its CALL. The callee
; replaces that address, so every RET is mispredicted, whatever other predictors have learned.
; Nothing else is mispredicted except the end of the loop.

%include "kernels/kernel.inc"

KERNEL exact.returns, "returns that are always mispredicted"
    LEVEL       3
    ITERATIONS  400
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_CALL,      n,              n
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n,              n
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n - 2,          n + 2
    EXPECT  BR_MISP_RETIRED.RET,            n - 2,          n + 2
    EXPECT  INT_MISC.CLEARS_COUNT,          n - 2,          n + 2
CODE
    lea   r9, [.landing]
.loop:
    call  .replace
    int3
    align 64, db 0xcc
.replace:
    mov   [rsp], r9
    ret
    align 64, db 0xcc
.landing:
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
