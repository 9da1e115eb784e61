; Hypothesis: an exchange of two registers is an instruction of three uops, few enough for a decoder
; and the uop cache, so it needs no microcode. The exchanges use four pairs of registers, so that
; they do not wait for each other, and most slots retire; two of three uops are those beyond the
; first of their instruction. An exchange is padded to six bytes: the 16 uops in a window of 32
; bytes then fit into the smallest uop cache, of three lines of six uops for a window.

%include "kernels/kernel.inc"

%macro LONG_XCHG 2
    db    0x3e, 0x3e, 0x3e                  ; prefixes without effect here
    xchg  %1, %2
%endmacro

KERNEL ret.few, "exchanges of registers, three uops each"
    ITERATIONS  120
    LEAF        tma_few_uops_instructions
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  tma_retiring,                   0.5,            1
    EXPECT  tma_few_uops_instructions,      0.25,           0.8
CODE
    align 64
.loop:
%rep 4
    LONG_XCHG rcx, rdx
    LONG_XCHG rbx, rbp
    LONG_XCHG r8, r9
    LONG_XCHG r10, r11
    LONG_XCHG rcx, rdx
    db    0x66, 0x90                        ; NOP of 2 bytes
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
