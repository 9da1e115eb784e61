; Hypothesis: a comparison and the conditional jump behind it are one uop. No jump is taken, so two
; a cycle go through their two ports, or one a cycle through the only port for them (before
; Haswell). With a load, a NOP and a vector addition for every two jumps, two fifths of the retired
; uops hold two instructions each, more than of any other kind, and even with one jump a cycle five
; of eight slots retire. Each group of five uops fills 32 bytes, a window of the uop cache, and no
; jump ends on a 32-byte boundary (JCC erratum).

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
    je    near .end                         ; 6 bytes, for the distance to .end
    mov   rax, [rsi]
    cmp   rdi, rsi
    je    near .end
    addps xmm %+ i, xmm %+ i                ; 3 bytes with the first eight registers
    db    0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0   ; NOP of 8 bytes
%assign i (i + 1) % 8
%endrep
    dec   rdi
    jnz   .loop
.end:
    ret
ENDKERNEL
