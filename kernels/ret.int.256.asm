; Hypothesis: additions of eight integers at once. additions.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.int.256, "additions of eight integers at once"
    ITERATIONS  100
    LEAF        tma_int_vector_256b
    LEVEL       4
    REQUIRES    avx2
    EXPECT_ADDITIONS
    EXPECT  INT_VEC_RETIRED.ADD_256,        n * 32,         n * 32
ADDITIONS vpaddd, ymm, vex
