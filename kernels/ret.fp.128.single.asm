; Hypothesis: additions of fours of singles, two a cycle on two ports; a register comes back sixteen
; additions later, so none waits for another. With as many NOPs between them two thirds or more of
; the slots retire, and half of what retires is floating point of this width. The registers hold
; zeros, lest a denormal number call for an assist.

%include "kernels/kernel.inc"

KERNEL ret.fp.128.single, "additions of fours of singles"
    ITERATIONS  80
    LEAF        tma_fp_vector_128b | tma_fp_vector
    LEVEL       5
    EXPECT  INST_RETIRED.ANY,               n * 66,         n * 66
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE, n * 32,  n * 32
    EXPECT  tma_retiring,                   0.55,           1
    EXPECT  tma_light_operations,           0.55,           1
CODE
%assign i 0
%rep 16
    xorps xmm %+ i, xmm %+ i
%assign i i + 1
%endrep
    align 64
.loop:
%rep 2
%assign i 0
%rep 16
    addps xmm %+ i, xmm %+ i
    db    0x66, 0x90                        ; NOP of 2 bytes
%assign i i + 1
%endrep
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
