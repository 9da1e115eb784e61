; Hypothesis: additions of two doubles at once. additions.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.128.double, "additions of two doubles at once"
    ITERATIONS  100
    LEAF        tma_fp_vector_128b | tma_fp_vector
    LEVEL       5
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE, n * 32,  n * 32
ADDITIONS addpd, xmm
