; Hypothesis: an x87 addition and fifteen NOPs fill four cycles of four slots. The additions go to
; seven registers of the x87 stack in turn; even if each addition waited four cycles for the one
; before it, most slots would retire. NOPs need no port, so hardly anything except the additions
; executes. At the end the x87 stack is empty again, and the control word is that of the firmware's
; calling convention (UEFI Specification, "x64 Platforms": 037FH, which FNINIT sets).

%include "kernels/kernel.inc"

KERNEL ret.x87, "x87 additions"
    ITERATIONS  80
    LEAF        tma_x87_use
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 114,        n * 114
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  UOPS_EXECUTED.X87,              n * 7,          n * 7
    EXPECT  tma_retiring,                   0.55,           1
    EXPECT  tma_light_operations,           0.55,           1
CODE
    fninit
%rep 8
    fldz
%endrep
    align 64
.loop:
%assign i 1
%rep 7
    fadd  st %+ i, st0
%rep 15
    db    0x0f, 0x1f, 0x00                  ; NOP of 3 bytes
%endrep
%assign i i + 1
%endrep
    dec   rdi
    jnz   .loop
    fninit
    ret
ENDKERNEL
