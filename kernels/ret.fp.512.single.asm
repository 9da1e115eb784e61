; Hypothesis: additions of sixteens of singles; the rest is in additions.inc.

%include "kernels/kernel.inc"
%include "kernels/additions.inc"

KERNEL ret.fp.512.single, "additions of sixteens of singles"
    ITERATIONS  100
    LEAF        tma_fp_vector_512b | tma_fp_vector
    LEVEL       5
    REQUIRES    avx512f
    EXPECT_ADDITIONS
    EXPECT  FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE, n * 32,  n * 32
ADDITIONS vaddps, zmm, vex
