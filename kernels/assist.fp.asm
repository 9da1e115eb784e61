; Hypothesis: the multiplier does not make the product of a subnormal number (one too small to be
; normal): the pipeline is cleared, and microcode makes the product (a floating-point assist, about
; 160 cycles since Sandy Bridge). MXCSR has neither DAZ nor FTZ set, so subnormal numbers stay what
; they are. The multiplications do not depend on each other. It is not published which node of level
; 1 the clear and the restart count in, so this kernel expects nothing of level 1. The microcode
; sequencer's uops are those of the assists. What an assist takes on NetBurst, with three slots, no
; description states.

%include "kernels/kernel.inc"

PRODUCTS equ 4

KERNEL assist.fp, "products of numbers too small to be normal"
    ITERATIONS  20
    LEAF        tma_assists
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  FP_ASSIST.ANY | ASSISTS.FP | OTHER_ASSISTS.ANY_WB_ASSIST, n * 4 * 0.95, n * 4 * 1.05
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 4 * 60 if width > 3 else assist_latency, n * 4 * 400
    EXPECT  tma_assists,                    0.02,           1
CODE
    push  0x1f80                            ; all exceptions masked, neither DAZ nor FTZ
    ldmxcsr [rsp]
    pop   rax
    mov   rax, 0x000ffffffffffffe           ; a subnormal number, the second largest
    movq  xmm0, rax
    mov   rax, 0x3fe8000000000000           ; 0.75
    movq  xmm1, rax
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
