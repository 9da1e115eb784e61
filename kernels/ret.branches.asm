; Hypothesis: conditional jumps with something between them and what set the flags are uops of
; their own. None is taken, so two of them a cycle go through their two ports; with a load and a NOP
; for every two of them, half of what retires is branches. Each group of four fills 16 bytes, so
; that no window of the uop cache holds more than four branches, and none ends on a 32-byte boundary
; (JCC erratum).

%include "kernels/kernel.inc"

KERNEL ret.branches, "jumps that are not taken, fused with nothing"
    ITERATIONS  100
    ARENA       4096
    PAGES       4K
    LEAF        tma_non_fused_branches | tma_branch_instructions
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 69,         n * 69
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 33,         n * 33
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_retiring,                   0.55,           1
    EXPECT  tma_light_operations,           0.55,           1
PREPARE
    mov   qword [rsi], 0
    ret
CODE
    align 64
.loop:
    test  rdi, rdi                          ; never zero here
    db    0x0f, 0x1f, 0x80, 0, 0, 0, 0      ; NOP of 7 bytes
    db    0x66, 0x0f, 0x1f, 0x44, 0, 0      ; NOP of 6 bytes
%rep 16
    jz    near .end                         ; 6 bytes, so that the farthest is in reach
    mov   rax, [rsi]
    jz    near .end
    nop
%endrep
    dec   rdi
    jnz   .loop
.end:
    ret
ENDKERNEL
