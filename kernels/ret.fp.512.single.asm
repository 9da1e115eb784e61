; Hypothesis: additions of sixteen singles at once. additions.inc has the rest of the hypothesis.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.512.single, "additions of sixteen singles at once"
    ITERATIONS  100
    LEAF        tma_fp_vector_512b | tma_fp_vector
    LEVEL       5
    REQUIRES    avx512f
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE, n * 32,  n * 32
ADDITIONS vaddps, zmm, vex
