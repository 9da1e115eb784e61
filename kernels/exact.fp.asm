; Hypothesis: additions of every width and precision that SSE2 has are counted once each, by kind,
; and moves and comparisons are not counted. None of the values is small enough to need an assist.

%include "kernels/kernel.inc"

KERNEL exact.fp, "floating-point additions by kind"
    LEVEL       3
    ITERATIONS  100
    EXPECT  INST_RETIRED.ANY,               n * 22,         n * 22
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  FP_ARITH_INST_RETIRED.SCALAR,               n * 8,  n * 8
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE | \
                FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE, n * 4, n * 4
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE | \
                FP_COMP_OPS_EXE.SSE_PACKED_SINGLE, n * 8, n * 8
    EXPECT  FP_ARITH_INST_RETIRED.VECTOR | \
                FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE:u0xfc, n * 12, n * 12
    EXPECT  FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE,   0,      0
    EXPECT  FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE,   0,      0
    EXPECT  SIMD_FP_256.PACKED_DOUBLE,                  0,      0
    EXPECT  SIMD_FP_256.PACKED_SINGLE,                  0,      0
    EXPECT  FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE,          n * 2 - 2,  n * 2 + 2
    EXPECT  FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE,          n * 6 - 2,  n * 6 + 2
CODE
    xorps xmm0, xmm0
    xorps xmm4, xmm4
.loop:
%rep 2
    addss xmm0, xmm4
    addsd xmm0, xmm4
    addsd xmm0, xmm4
    addsd xmm0, xmm4
    addpd xmm0, xmm4
    addpd xmm0, xmm4
    addps xmm0, xmm4
    addps xmm0, xmm4
    addps xmm0, xmm4
    addps xmm0, xmm4
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
