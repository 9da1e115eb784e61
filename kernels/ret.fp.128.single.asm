; Hypothesis: additions of four singles at once. additions.inc has the rest of the hypothesis. On
; Sandy and Ivy Bridge the formula of tma_fp_vector_128b adds events of doubles only; there the node
; above it is used for singles.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.128.single, "additions of four singles at once"
    ITERATIONS  100
    LEAF        tma_fp_vector_128b of FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE FP_ARITH_OPS_RETIRED.128B_PACKED_SINGLE | tma_fp_vector
    LEVEL       5
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE, n * 32,  n * 32
ADDITIONS addps, xmm
