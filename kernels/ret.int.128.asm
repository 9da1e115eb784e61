; Hypothesis: additions of four integers at once. additions.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.int.128, "additions of four integers at once"
    ITERATIONS  100
    LEAF        tma_int_vector_128b
    LEVEL       4
    EXPECT_ADDITIONS
    EXPECT  INT_VEC_RETIRED.ADD_128,        n * 32,         n * 32
ADDITIONS paddd, xmm
