# For vector_host_test.c: the host's side of the comparison, and the instructions. Offsets are those of struct register_image.
.set MASKS, 2048
.set RCX, 2120
.set MEMORY, 2240
.set FLAGS, 2304

.macro ENTER
    mov RCX(%rdi), %rcx
    lea MEMORY(%rdi), %rdx
    push %rdi
    pushq FLAGS(%rdi)
    popfq
    call *%rsi
    pushfq
    pop %rax
    pop %rdi
    mov %rax, FLAGS(%rdi)
    mov %rcx, RCX(%rdi)
.endm

.text
# RDI: the image, RSI: the code. Loads all registers, calls, stores them all.
.globl vector_host_256, vector_host_512
vector_host_256:
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu 64*\n(%rdi), %ymm\n
    .endr
    ENTER
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
    vmovdqu %ymm\n, 64*\n(%rdi)
    .endr
    vzeroupper
    ret
vector_host_512:
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 64*\n(%rdi), %zmm\n
    .endr
    .irp n,0,1,2,3,4,5,6,7
    kmovq MASKS+8*\n(%rdi), %k\n
    .endr
    ENTER
    .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 %zmm\n, 64*\n(%rdi)
    .endr
    .irp n,0,1,2,3,4,5,6,7
    kmovq %k\n, MASKS+8*\n(%rdi)
    .endr
    vzeroupper
    ret

# ---- the instructions: AVX, AVX2 and FMA first ----
.section .rodata
.globl vector_list, vector_list_512, vector_list_masked, vector_list_end
vector_list:
.irp op,vadd,vsub,vmul,vdiv,vmin,vmax
    \op\()ps %ymm2, %ymm1, %ymm0
    \op\()pd %ymm2, %ymm1, %ymm0
    \op\()ps %xmm2, %xmm1, %xmm0
    \op\()pd (%rdx), %xmm1, %xmm0
    \op\()ss %xmm2, %xmm1, %xmm0
    \op\()sd %xmm2, %xmm1, %xmm0
    \op\()ss (%rdx), %xmm1, %xmm9
    \op\()sd (%rdx), %xmm1, %xmm9
    \op\()pd (%rdx), %ymm15, %ymm8
    \op\()ps (%rdx), %ymm15, %ymm8
.endr
    vsqrtps %ymm3, %ymm1
    vsqrtpd %ymm3, %ymm1
    vsqrtps (%rdx), %xmm1
    vsqrtss %xmm3, %xmm2, %xmm1
    vsqrtsd (%rdx), %xmm2, %xmm1
.irp op,vfmadd132,vfmadd213,vfmadd231,vfmsub132,vfmsub213,vfmsub231,vfnmadd132,vfnmadd213,vfnmadd231,vfnmsub132,vfnmsub213,vfnmsub231
    \op\()ps %ymm2, %ymm1, %ymm0
    \op\()pd %ymm2, %ymm1, %ymm0
    \op\()ps (%rdx), %xmm1, %xmm0
    \op\()pd (%rdx), %ymm1, %ymm0
    \op\()ss %xmm2, %xmm1, %xmm0
    \op\()sd (%rdx), %xmm1, %xmm0
.endr
.irp op,vandps,vandpd,vandnps,vandnpd,vorps,vorpd,vxorps,vxorpd,vpand,vpandn,vpor,vpxor
    \op %ymm2, %ymm1, %ymm0
    \op %xmm2, %xmm1, %xmm0
    \op (%rdx), %ymm11, %ymm12
.endr
.irp op,vpaddb,vpaddw,vpaddd,vpaddq,vpsubb,vpsubw,vpsubd,vpsubq,vpmullw,vpmulld,vpmuludq,vpsllvd,vpsllvq,vpsrlvd,vpsrlvq,vpsravd
    \op %ymm2, %ymm1, %ymm3
    \op (%rdx), %xmm1, %xmm3
    \op %ymm1, %ymm1, %ymm1
.endr
.irp op,vpcmpeqb,vpcmpeqw,vpcmpeqd,vpcmpeqq,vpcmpgtb,vpcmpgtw,vpcmpgtd,vpcmpgtq,vpminsb,vpminsw,vpminsd,vpminub,vpminuw,vpminud
    \op %ymm2, %ymm1, %ymm3
    \op (%rdx), %xmm1, %xmm3
    \op %ymm1, %ymm1, %ymm1
.endr
.irp op,vpmaxsb,vpmaxsw,vpmaxsd,vpmaxub,vpmaxuw,vpmaxud,vpunpcklbw,vpunpcklwd,vpunpckldq,vpunpcklqdq,vpunpckhbw,vpunpckhwd
    \op %ymm2, %ymm1, %ymm3
    \op (%rdx), %xmm1, %xmm3
    \op %ymm1, %ymm1, %ymm1
.endr
.irp op,vpunpckhdq,vpunpckhqdq,vunpcklps,vunpcklpd,vunpckhps,vunpckhpd,vpshufb
    \op %ymm2, %ymm1, %ymm3
    \op (%rdx), %xmm1, %xmm3
    \op %ymm1, %ymm1, %ymm1
.endr
.irp op,vpsllw,vpslld,vpsllq,vpsrlw,vpsrld,vpsrlq,vpsraw,vpsrad
    \op $5, %ymm1, %ymm2
    \op $77, %xmm1, %xmm2
    \op %xmm3, %ymm1, %ymm2
    \op (%rdx), %xmm1, %xmm2
.endr
.irp c,0,27,0x93,0xff
    vshufps $\c, %ymm2, %ymm1, %ymm3
    vshufpd $\c, %ymm2, %ymm1, %ymm3
    vshufpd $\c, %xmm2, %xmm1, %xmm3
    vpshufd $\c, %ymm2, %ymm1
    vpalignr $\c, %ymm2, %ymm1, %ymm3
    vpermq $\c, %ymm2, %ymm1
    vpermpd $\c, (%rdx), %ymm1
    vperm2f128 $\c, %ymm2, %ymm1, %ymm3
    vperm2i128 $\c, (%rdx), %ymm1, %ymm3
.endr
.irp c,0,3,15,16,200
    vpslldq $\c, %ymm1, %ymm2
    vpsrldq $\c, %ymm1, %ymm2
    vpalignr $\c, (%rdx), %xmm1, %xmm3
.endr
.irp op,vmovsldup,vmovshdup,vmovddup
    \op %ymm1, %ymm2
    \op %xmm1, %xmm2
    \op (%rdx), %ymm2
    \op (%rdx), %xmm2
.endr
.irp op,vpmovmskb,vmovmskps,vmovmskpd
    \op %ymm1, %ecx
    \op %xmm1, %ecx
.endr
.irp op,vptest,vucomiss,vucomisd,vcomiss,vcomisd
    \op %xmm1, %xmm2
    \op (%rdx), %xmm2
    \op %xmm2, %xmm2
.endr
    vptest %ymm1, %ymm2
    vptest %ymm2, %ymm2
.irp op,vmovaps,vmovapd,vmovups,vmovupd,vmovdqa,vmovdqu
    \op %ymm5, %ymm6
    \op %xmm5, %xmm6
    \op (%rdx), %ymm7
    \op %ymm5, (%rdx)
    \op (%rdx), %xmm7
    \op %xmm5, (%rdx)
.endr
.irp op,vmaskmovps,vmaskmovpd,vpmaskmovd,vpmaskmovq
    \op (%rdx), %ymm1, %ymm2
    \op (%rdx), %xmm1, %xmm2
    \op %ymm1, %ymm2, (%rdx)
    \op %xmm1, %xmm2, (%rdx)
.endr
    vlddqu (%rdx), %ymm4
    vmovntps %ymm5, (%rdx)
    vmovntpd %xmm5, (%rdx)
    vmovntdq %ymm5, (%rdx)
    vmovss %xmm3, %xmm2, %xmm1
    vmovsd %xmm3, %xmm2, %xmm1
    vmovss (%rdx), %xmm1
    vmovsd (%rdx), %xmm1
    vmovss %xmm1, (%rdx)
    vmovsd %xmm1, (%rdx)
    vmovd %ecx, %xmm1
    vmovq %rcx, %xmm1
    vmovd %xmm1, %ecx
    vmovq %xmm1, %rcx
    vmovd (%rdx), %xmm1
    vmovq (%rdx), %xmm1
    vmovd %xmm1, (%rdx)
    vmovq %xmm1, (%rdx)
    vmovq %xmm3, %xmm1
    vbroadcastss %xmm1, %ymm2
    vbroadcastss %xmm1, %xmm2
    vbroadcastsd %xmm1, %ymm2
    vbroadcastss (%rdx), %xmm2
    vbroadcastsd (%rdx), %ymm2
    vbroadcastf128 (%rdx), %ymm2
    vbroadcasti128 (%rdx), %ymm2
.irp op,vpbroadcastb,vpbroadcastw,vpbroadcastd,vpbroadcastq
    \op %xmm1, %ymm2
    \op %xmm1, %xmm2
    \op (%rdx), %ymm2
.endr
    vextractf128 $1, %ymm3, %xmm4
    vextractf128 $0, %ymm3, (%rdx)
    vextracti128 $1, %ymm3, (%rdx)
    vextracti128 $0, %ymm3, %xmm3
    vinsertf128 $1, %xmm5, %ymm4, %ymm3
    vinsertf128 $0, (%rdx), %ymm4, %ymm3
    vinserti128 $1, (%rdx), %ymm4, %ymm3
    vinserti128 $0, %xmm5, %ymm4, %ymm4
    vzeroupper
    vzeroall

# ---- AVX-512 F, DQ, BW, VL ----
vector_list_512:
.irp op,vadd,vsub,vmul,vdiv,vmin,vmax
    \op\()ps %zmm18, %zmm17, %zmm0
    \op\()pd %zmm18, %zmm17, %zmm31
    \op\()ps (%rdx), %zmm1, %zmm0
    \op\()pd (%rdx){1to8}, %zmm1, %zmm0
    \op\()ps (%rdx){1to16}, %zmm1, %zmm0
    \op\()ps (%rdx){1to8}, %ymm1, %ymm0
    \op\()pd %zmm2, %zmm1, %zmm0{%k1}
    \op\()ps %zmm2, %zmm1, %zmm0{%k2}{z}
    \op\()ps %ymm18, %ymm1, %ymm0{%k3}
    \op\()pd %xmm18, %xmm1, %xmm0{%k4}{z}
    \op\()sd %xmm18, %xmm1, %xmm0{%k5}
    \op\()ss %xmm18, %xmm1, %xmm0{%k6}{z}
.endr
.irp op,vadd,vsub,vmul,vdiv
    \op\()pd {rd-sae}, %zmm2, %zmm1, %zmm0
    \op\()ps {ru-sae}, %zmm2, %zmm1, %zmm0
    \op\()ps {rz-sae}, %zmm2, %zmm1, %zmm0
    \op\()sd {rn-sae}, %xmm2, %xmm1, %xmm0
.endr
    vsqrtpd %zmm20, %zmm21
    vsqrtps (%rdx), %zmm21
.irp op,vfmadd132,vfmadd213,vfmadd231,vfmsub132,vfmsub213,vfmsub231,vfnmadd132,vfnmadd213,vfnmadd231,vfnmsub132,vfnmsub213,vfnmsub231
    \op\()pd %zmm22, %zmm21, %zmm20{%k1}
    \op\()ps (%rdx){1to16}, %zmm21, %zmm20
    \op\()sd %xmm22, %xmm21, %xmm20{%k3}
    \op\()ss {ru-sae}, %xmm22, %xmm21, %xmm20
.endr
.irp op,vandps,vandnpd,vorps,vxorpd,vpandd,vpandnq,vpord,vporq,vpxord,vpxorq,vpaddd,vpaddq,vpaddb,vpaddw,vpsubd,vpsubb,vpmulld
    \op %zmm18, %zmm17, %zmm16{%k1}
    \op (%rdx), %zmm1, %zmm0
    \op %ymm18, %ymm17, %ymm16{%k2}{z}
.endr
.irp op,vpmuludq,vpsllvd,vpsrlvq,vpminsd,vpmaxub,vpunpcklbw,vpunpckhdq,vunpcklpd,vpshufb
    \op %zmm18, %zmm17, %zmm16{%k1}
    \op (%rdx), %zmm1, %zmm0
    \op %ymm18, %ymm17, %ymm16{%k2}{z}
.endr
    vpslld $7, %zmm1, %zmm2{%k1}
    vpsrlq %xmm3, %zmm1, %zmm2
    vpsraw $3, (%rdx), %zmm2
    vshufps $0x93, %zmm2, %zmm1, %zmm3{%k1}
    vpshufd $0x1b, %zmm2, %zmm1
    vshufpd $0x5a, %zmm2, %zmm1, %zmm3
    vpermq $0x1b, %zmm2, %zmm1
    vpalignr $5, %zmm2, %zmm1, %zmm3
    vmovddup (%rdx), %zmm2
    vpslldq $3, %zmm1, %zmm2
    vucomisd %xmm17, %xmm18
    vpaddd (%rdx){1to16}, %zmm1, %zmm2
    vpaddq (%rdx){1to8}, %zmm1, %zmm2
    vmovaps %zmm1, %zmm2{%k1}
    vmovapd %zmm1, %zmm2{%k1}{z}
    vmovups %ymm1, %ymm18{%k3}
    vmovdqa32 (%rdx), %zmm30
    vmovdqa64 %zmm30, (%rdx)
    vmovdqu32 %xmm1, %xmm30{%k5}
    vmovdqu64 (%rdx), %ymm29
    vmovdqu8 %zmm1, %zmm2{%k1}
    vmovdqu16 %zmm1, %zmm2{%k1}{z}
    vmovntps %zmm3, (%rdx)
    vmovntdq %zmm3, (%rdx)
    vmovss %xmm18, %xmm2, %xmm1{%k1}
    vmovsd %xmm18, %xmm2, %xmm1{%k2}{z}
    vmovd %ecx, %xmm17
    vmovq %xmm17, %rcx
    vbroadcastss %xmm1, %zmm2{%k1}
    vbroadcastsd (%rdx), %zmm2
    vbroadcastf32x4 (%rdx), %zmm2
    vbroadcasti64x4 (%rdx), %zmm2
    vpbroadcastd %xmm1, %zmm17
    vpbroadcastq (%rdx), %zmm17
    vpbroadcastd %ecx, %zmm4{%k1}
    vpbroadcastq %rcx, %zmm4
    vpbroadcastb %xmm1, %zmm2{%k7}{z}
    vextractf32x4 $3, %zmm3, %xmm4{%k1}
    vextractf64x4 $1, %zmm3, %ymm20
    vextracti32x4 $2, %zmm3, (%rdx)
    vextracti64x4 $0, %zmm3, (%rdx)
    vinsertf32x4 $2, %xmm20, %zmm3, %zmm4
    vinserti64x4 $1, (%rdx), %zmm3, %zmm4
    vinsertf64x4 $0, %ymm20, %zmm3, %zmm4{%k1}
    vinserti32x4 $1, %xmm20, %ymm3, %ymm4
    kmovw %ecx, %k1
    kmovw %k1, %ecx
    kmovw %k2, %k3
    kmovw (%rdx), %k4
    kmovw %k4, (%rdx)
    kmovb %ecx, %k1
    kmovb %k1, %ecx
    kmovd %ecx, %k1
    kmovq %rcx, %k5
    kmovq %k5, %rcx
    kmovd %k5, %ecx
vector_list_masked:
.irp op,vmovaps,vmovapd,vmovups,vmovupd,vmovdqa32,vmovdqa64,vmovdqu8,vmovdqu16,vmovdqu32,vmovdqu64
    \op (%rdx), %zmm2{%k1}
    \op (%rdx), %ymm2{%k1}{z}
    \op %zmm3, (%rdx){%k1}
    \op %xmm3, (%rdx){%k1}
.endr
.irp op,vaddpd,vmulps,vdivpd,vminps,vfmadd231pd,vandps,vpaddd,vpxorq,vpsllvd
    \op (%rdx), %zmm1, %zmm2{%k1}
    \op (%rdx), %xmm1, %xmm2{%k1}{z}
.endr
.irp op,vpaddb,vpaddw,vpminub,vpmullw
    \op (%rdx), %zmm1, %zmm2{%k1}
.endr
    vaddpd (%rdx){1to8}, %zmm1, %zmm2{%k1}
    vpaddd (%rdx){1to4}, %xmm1, %xmm2{%k1}{z}
    vsqrtps (%rdx), %zmm2{%k1}
    vaddsd (%rdx), %xmm1, %xmm2{%k1}
    vmulss (%rdx), %xmm1, %xmm2{%k1}{z}
    vmovss (%rdx), %xmm2{%k1}
    vmovsd (%rdx), %xmm2{%k1}{z}
    vmovss %xmm2, (%rdx){%k1}
    vmovsd %xmm2, (%rdx){%k1}
    vpsrad $3, (%rdx), %zmm2{%k1}
    vpslld (%rdx), %zmm1, %zmm2{%k1}
    vbroadcastss (%rdx), %zmm2{%k1}
    vbroadcastf32x4 (%rdx), %zmm2{%k1}{z}
    vbroadcasti64x4 (%rdx), %zmm2{%k1}
    vpbroadcastb (%rdx), %zmm2{%k1}
    vpbroadcastq (%rdx), %ymm2{%k1}
    vextractf32x4 $2, %zmm3, (%rdx){%k1}
    vextracti64x4 $1, %zmm3, (%rdx){%k1}
    vinsertf32x4 $2, (%rdx), %zmm3, %zmm4{%k1}
    vpshufd $0x1b, (%rdx), %zmm1{%k1}
    vshufps $0x93, (%rdx), %zmm1, %zmm3{%k1}
    vpshufb (%rdx), %zmm1, %zmm3{%k1}
    vpunpckhdq (%rdx), %zmm1, %zmm3{%k1}
    vpermq $0x1b, (%rdx), %zmm1{%k1}
    vmovddup (%rdx), %zmm2{%k1}
vector_list_end:
.text
