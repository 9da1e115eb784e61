; Hypothesis: a conditional jump is one uop when another instruction separates it from the one that
; set the flags. No jump is taken, so two a cycle go through their two ports, or one a cycle through
; the only port for them (before Haswell). With a load, a NOP and a vector addition for every two
; jumps, two fifths of the retired uops are branches, more than of any other kind, and even with one
; jump a cycle five of eight slots retire. Each group of five uops fills 32 bytes, a window of the
; uop cache, and no jump ends on a 32-byte boundary (JCC erratum).

%include "kernels/kernel.inc"

KERNEL ret.branches, "conditional jumps, not taken and not fused"
    ITERATIONS  100
    ARENA       4096
    PAGES       4K
    LEAF        tma_non_fused_branches | tma_branch_instructions
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 87,         n * 87
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 33,         n * 33
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
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
    test  rdi, rdi                          ; never zero here; 32 bytes to the first jump
    db    0x0f, 0x1f, 0x80, 0, 0, 0, 0      ; NOP of 7 bytes
    db    0x0f, 0x1f, 0x80, 0, 0, 0, 0
    db    0x0f, 0x1f, 0x80, 0, 0, 0, 0
    db    0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0   ; NOP of 8 bytes
%assign i 0
%rep 16                                     ; 32 bytes
    jz    near .end                         ; 6 bytes, for the distance to .end
    mov   rax, [rsi]
    jz    near .end
    addps xmm %+ i, xmm %+ i                ; 3 bytes with the first eight registers
    db    0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0  ; NOP of 14 bytes
%assign i (i + 1) % 8
%endrep
    dec   rdi
    jnz   .loop
.end:
    ret
ENDKERNEL
