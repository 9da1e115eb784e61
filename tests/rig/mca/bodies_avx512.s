# More loop bodies for mca.sh, of 512 bits, for cores with AVX-512; see bodies.s.
    .intel_syntax noprefix
    .text

# LLVM-MCA-BEGIN avx512.add
avx512.add:
    vaddpd zmm0, zmm8, zmm9
    vaddpd zmm1, zmm8, zmm9
    vaddpd zmm2, zmm8, zmm9
    vmulps zmm3, zmm8, zmm9
# LLVM-MCA-END

# LLVM-MCA-BEGIN avx512.fma
avx512.fma:
    vfmadd231pd zmm0, zmm16, zmm17
    vfmadd231pd zmm1, zmm16, zmm17
    vpxord zmm18, zmm19, zmm20
# LLVM-MCA-END

# LLVM-MCA-BEGIN avx512.division
avx512.division:
    vdivpd zmm0, zmm8, zmm9
# LLVM-MCA-END
