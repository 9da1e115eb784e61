; Hypothesis: a move from a general register to a vector register can use port 5 only. Independent
; moves begin one in every cycle, and the other ports for arithmetic get only the loop's branch.

%include "kernels/kernel.inc"

KERNEL be.core.port5, "moves into vector registers, on port 5 only"
    ITERATIONS  250
    LEAF        tma_port_5
    LEVEL       6
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  tma_backend_bound,              0.5,            0.9
    EXPECT  tma_resource_bound | tma_core_bound, 0.45,           0.9
    EXPECT  tma_port_5,                     0.9,            1
CODE
.loop:
%rep 3
%assign register 0
%rep 8
    movd  xmm %+ register, esi
%assign register register + 1
%endrep
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
