; Hypothesis: additions of eights of integers; the rest is in additions.inc.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.int.256, "additions of eights of integers"
    ITERATIONS  100
    LEAF        tma_int_vector_256b
    LEVEL       4
    REQUIRES    avx2
    EXPECT_ADDITIONS
    EXPECT  INT_VEC_RETIRED.ADD_256,        n * 32,         n * 32
ADDITIONS vpaddd, ymm, vex
