; Hypothesis: additions of fours of singles; the rest is in additions.inc. On Sandy and Ivy Bridge the
; formula of tma_fp_vector_128b adds events of doubles only; there the node above it answers for singles.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.128.single, "additions of fours of singles"
    ITERATIONS  100
    LEAF        tma_fp_vector_128b of FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE FP_ARITH_OPS_RETIRED.128B_PACKED_SINGLE | tma_fp_vector
    LEVEL       5
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE, n * 32,  n * 32
ADDITIONS addps, xmm
