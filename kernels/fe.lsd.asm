; Hypothesis: a loop of one uop comes from the loop buffer, where there is one, and the loop buffer
; delivers one iteration a cycle: one uop for a machine that could issue four to six. A loop buffer
; that holds several iterations delivers them without a gap. It then leaves no more than 14 % of the
; slots empty, whatever the loop, and the port for taken branches limits this one: on such a CPU the
; kernel does not run.

%include "kernels/kernel.inc"

KERNEL fe.lsd, "the smallest loop"
    ITERATIONS  4000 if unrolls_loops < 1 else NA
    LEAF        tma_lsd
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 2,          n * 2
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_frontend_bound,             0.5,            0.9
CODE
    align 64
.loop:
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
