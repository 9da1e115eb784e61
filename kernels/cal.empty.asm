; Hypothesis: a kernel that only returns costs the same for any n, so the difference of two windows
; is zero in every count. Any other difference comes from the measuring itself.

%include "kernels/kernel.inc"

KERNEL cal.empty, "nothing at all"
    ITERATIONS  1000
    MOST        1000
    EXPECT  INST_RETIRED.ANY,               0,              0
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   0,              0
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
CODE
    ret
ENDKERNEL
