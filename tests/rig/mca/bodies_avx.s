# More loop bodies for mca.sh, of 256 bits, for cores with AVX, FMA and AVX2; see bodies.s.
    .intel_syntax noprefix
    .text

# LLVM-MCA-BEGIN avx.chain
avx.chain:
    vaddpd ymm0, ymm0, ymm1
    vmulpd ymm0, ymm0, ymm2
# LLVM-MCA-END

# LLVM-MCA-BEGIN avx.fma_chain
avx.fma_chain:
    vfmadd231pd ymm0, ymm1, ymm2
# LLVM-MCA-END

# LLVM-MCA-BEGIN avx.fma_dot
avx.fma_dot:
    vmovups ymm8, [rsi]
    vfmadd231ps ymm0, ymm8, [rdi]
    vmovups ymm9, [rsi+32]
    vfmadd231ps ymm1, ymm9, [rdi+32]
    add rsi, 64
    add rdi, 64
# LLVM-MCA-END

# LLVM-MCA-BEGIN avx.triad
avx.triad:
    vmovups ymm0, [rsi]
    vfmadd213pd ymm0, ymm8, [rdi]
    vmovups [rdx], ymm0
    add rsi, 32
    add rdi, 32
    add rdx, 32
# LLVM-MCA-END

# LLVM-MCA-BEGIN avx.lanes
avx.lanes:
    vextractf128 xmm1, ymm0, 1
    vinsertf128 ymm0, ymm0, xmm1, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN avx.broadcast
avx.broadcast:
    vbroadcastss ymm0, xmm8
    vbroadcastsd ymm1, xmm9
    vaddps ymm2, ymm2, ymm0
    vaddpd ymm3, ymm3, ymm1
# LLVM-MCA-END
