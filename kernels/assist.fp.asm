; Hypothesis: a product of a number too small to be normal is not made by the multiplier. The pipeline is
; cleared, and microcode makes it (a floating-point assist, about 160 cycles since Sandy Bridge). MXCSR
; keeps such numbers here: neither DAZ nor FTZ. The multiplications do not depend on each other. Which
; part of level 1 the clear and the restart count as is not published, so this kernel belongs to none;
; the sequencer's uops are the assists'.

%include "kernels/kernel.inc"

PRODUCTS equ 4

KERNEL assist.fp, "products of numbers too small to be normal"
    ITERATIONS  20
    LEAF        tma_assists
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  FP_ASSIST.ANY | ASSISTS.FP | OTHER_ASSISTS.ANY_WB_ASSIST, n * 4 * 0.95, n * 4 * 1.05
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 4 * 60,     n * 4 * 400
    EXPECT  tma_assists,                    0.02,           1
CODE
    push  0x1f80                            ; all exceptions masked, small numbers kept
    ldmxcsr [rsp]
    pop   rax
    mov   rax, 0x000ffffffffffffe           ; the largest but one that is not normal
    movq  xmm0, rax
    mov   rax, 0x3fe8000000000000           ; 0.75
    movq  xmm1, rax
    align 32
.loop:
%assign i 2
%rep PRODUCTS
    movaps xmm %+ i, xmm0
    mulsd xmm %+ i, xmm1
    %assign i i + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
