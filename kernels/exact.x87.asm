; Hypothesis: an addition of two x87 registers is one uop that the x87 unit executes. All registers
; hold zeros and keep them.

%include "kernels/kernel.inc"

KERNEL exact.x87, "additions of x87 registers"
    LEVEL       3
    ITERATIONS  30
    EXPECT  INST_RETIRED.ANY,               n * 122,        n * 122
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  UOPS_EXECUTED.X87 | FP_COMP_OPS_EXE.X87, n * 120 - 2, n * 120 + 2
    EXPECT  INST_RETIRED.X87,               n * 120 - 2,    n * 120 + 2
CODE
    fldz
    fldz
.loop:
%rep 120
    fadd  st0, st1
%endrep
    dec   rdi
    jnz   .loop
    fstp  st0
    fstp  st0
    ret
ENDKERNEL
