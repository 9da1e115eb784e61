; Hypothesis: an exchange of two registers is an instruction of three uops, few enough for a
; decoder and the uop cache, so no microcode is needed. Four pairs of registers keep the exchanges
; from waiting for each other, and most slots retire, two of three as the uops beyond the first.

%include "kernels/kernel.inc"

KERNEL ret.few, "exchanges of registers, three uops each"
    ITERATIONS  120
    LEAF        tma_few_uops_instructions
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  tma_retiring,                   0.5,            1
    EXPECT  tma_heavy_operations,           0.25,           0.8
CODE
    align 64
.loop:
%rep 6
    xchg  rcx, rdx
    xchg  rbx, rbp
    xchg  r8, r9
    xchg  r10, r11
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
