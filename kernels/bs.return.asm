; Hypothesis: the return stack predicts for every RET the address behind its CALL. The callee
; replaces that address, so every RET is mispredicted, whatever other predictors have learned. The
; true address comes out of the store buffer a few cycles later; until then the NOPs behind the
; CALL, which never retire, fill the machine.

%include "kernels/kernel.inc"

KERNEL bs.return, "returns that do not go back to their call"
    ITERATIONS  600
    LEAF        tma_ret_mispredicts | tma_branch_mispredicts
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n,              n
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 0.97,       n * 1.03
    EXPECT  tma_bad_speculation,            0.35,           0.95
    EXPECT  tma_branch_mispredicts,         0.35,           0.95
CODE
    lea   r9, [.landing]
.loop:
    call  .replace
%rep 96
    db    0x0f, 0x1f, 0x00                  ; NOP of 3 bytes, issued but never retired
%endrep
    jmp   .loop
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
