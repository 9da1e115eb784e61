; Hypothesis: additions of four doubles at once. additions.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.256.double, "additions of four doubles at once"
    ITERATIONS  100
    LEAF        tma_fp_vector_256b | tma_fp_vector
    LEVEL       5
    REQUIRES    avx
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE, n * 32,  n * 32
ADDITIONS vaddpd, ymm, vex
