; Hypothesis: x87 additions to seven registers of the stack, none of which waits for another, one
; for every three NOPs: what retires is one part x87 in four, and what executes is hardly anything
; else, NOPs needing no port. The stack is empty again at the end, and its control word that of
; the firmware's calling rule (UEFI Specification, "x64 Platforms": 037FH, which FNINIT sets).

%include "kernels/kernel.inc"

KERNEL ret.x87, "x87 additions"
    ITERATIONS  80
    LEAF        tma_x87_use
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 58,         n * 58
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  UOPS_EXECUTED.X87,              n * 14,         n * 14
    EXPECT  tma_retiring,                   0.55,           1
    EXPECT  tma_light_operations,           0.55,           1
CODE
    fninit
%rep 8
    fldz
%endrep
    align 64
.loop:
%rep 2
%assign i 1
%rep 7
    fadd  st %+ i, st0
%rep 3
    db    0x0f, 0x1f, 0x00                  ; NOP of 3 bytes
%endrep
%assign i i + 1
%endrep
%endrep
    dec   rdi
    jnz   .loop
    fninit
    ret
ENDKERNEL
