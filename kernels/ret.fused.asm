; Hypothesis: a comparison and the conditional jump behind it are one uop. The jumps are never
; taken, so two of them a cycle go through their two ports; with a load and a NOP for every two of
; them, half of the slots that retire hold two instructions each. A group of four uops fills 32
; bytes, a window of the uop cache, and none of its jumps ends on a 32-byte boundary (JCC erratum).

%include "kernels/kernel.inc"

KERNEL ret.fused, "comparisons fused with their jumps"
    ITERATIONS  80
    ARENA       4096
    PAGES       4K
    LEAF        tma_fused_instructions
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 98,         n * 98
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 33,         n * 33
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  UOPS_RETIRED.MACRO_FUSED,       n * 33,         n * 33
    EXPECT  INST_RETIRED.MACRO_FUSED,       n * 33,         n * 33
    EXPECT  tma_retiring,                   0.55,           1
    EXPECT  tma_light_operations,           0.55,           1
PREPARE
    mov   qword [rsi], 0
    ret
CODE
    align 64
.loop:
%rep 16                                     ; 32 bytes
    cmp   rsi, rdi
    je    near .end                         ; 6 bytes, so that the farthest is in reach
    mov   rax, [rsi]
    cmp   rdi, rsi
    je    near .end
    db    0x66, 0x66, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0    ; NOP of 11 bytes
%endrep
    dec   rdi
    jnz   .loop
.end:
    ret
ENDKERNEL
