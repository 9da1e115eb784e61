; Hypothesis: additions of doubles, one at a time. additions.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.scalar.double, "additions of doubles, one at a time"
    ITERATIONS  100
    LEAF        tma_fp_scalar
    LEVEL       4
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.SCALAR_DOUBLE, n * 32,  n * 32
ADDITIONS addsd, xmm
