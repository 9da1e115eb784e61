; Hypothesis: a comparison and the conditional jump behind it are one uop. The jumps are never
; taken, so two of them a cycle go through their two ports, and one a cycle where there is one port
; for them (before Haswell). With a load, a NOP and an addition of vectors for every two of them, two
; fifths of the slots that retire hold two instructions each, more than any other kind, and even one
; jump a cycle lets five of eight slots retire. A group of five uops fills 32 bytes, a window of the
; uop cache, and none of its jumps ends on a 32-byte boundary (JCC erratum).

%include "kernels/kernel.inc"

KERNEL ret.fused, "comparisons fused with their jumps"
    ITERATIONS  80
    ARENA       4096
    PAGES       4K
    LEAF        tma_fused_instructions
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 114,        n * 114
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
%assign i 0
%rep 8
    xorps xmm %+ i, xmm %+ i
%assign i i + 1
%endrep
    align 64
.loop:
%assign i 0
%rep 16                                     ; 32 bytes
    cmp   rsi, rdi
    je    near .end                         ; 6 bytes, so that the farthest is in reach
    mov   rax, [rsi]
    cmp   rdi, rsi
    je    near .end
    addps xmm %+ i, xmm %+ i                ; 3 bytes: of the first eight
    db    0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0   ; NOP of 8 bytes
%assign i (i + 1) % 8
%endrep
    dec   rdi
    jnz   .loop
.end:
    ret
ENDKERNEL
