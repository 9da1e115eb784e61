; Hypothesis: additions of pairs of doubles; the rest is in additions.inc.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.128.double, "additions of pairs of doubles"
    ITERATIONS  100
    LEAF        tma_fp_vector_128b | tma_fp_vector
    LEVEL       5
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE, n * 32,  n * 32
ADDITIONS addpd, xmm
