; Hypothesis: additions of fours of singles; the rest is in additions.inc.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.128.single, "additions of fours of singles"
    ITERATIONS  100
    LEAF        tma_fp_vector_128b | tma_fp_vector
    LEVEL       5
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE, n * 32,  n * 32
ADDITIONS addps, xmm
