; Hypothesis: a chain of jumps, each to the next line, is in the uop cache, which delivers nothing
; behind a taken jump in the same cycle. So one uop a cycle arrives where four to six could be
; issued. The chain has more taken jumps than a loop buffer holds.

%include "kernels/kernel.inc"

KERNEL fe.dsb, "a chain of jumps"
    ITERATIONS  60
    LEAF        tma_dsb
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 66,         n * 66
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 65,         n * 65
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 65,         n * 65
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0 - 0.005,     0.05    ; a few outside the loop
    EXPECT  tma_frontend_bound,             0.6,            0.9
CODE
    align 64
.loop:
%rep 64
    jmp   near $ + 64
    align 64, db 0xcc
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
