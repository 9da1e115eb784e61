# Loop bodies for the comparison with llvm-mca (mca.sh). GNU as and llvm-mca read the same text; the comments that begin and end
# a region are llvm-mca's, the labels are for compare.c. A branch closes its loop.
    .intel_syntax noprefix
    .text

# LLVM-MCA-BEGIN chain.add
chain.add:
    add rax, rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.imul
chain.imul:
    imul rax, rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.lea2
chain.lea2:
    lea rax, [rax+rcx]
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.lea3
chain.lea3:
    lea rax, [rax+rcx+8]
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.shift
chain.shift:
    shl rax, 3
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.rotate
chain.rotate:
    rol rax, 7
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.popcnt
chain.popcnt:
    popcnt rax, rax
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.adc
chain.adc:
    adc rax, rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.cmov
chain.cmov:
    add rcx, 1
    cmove rax, rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.load
chain.load:
    mov rax, [rax]
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.load_indexed
chain.load_indexed:
    mov rax, [rax+rcx]
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.load_add
chain.load_add:
    add rax, [rsi]
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.addpd
chain.addpd:
    addpd xmm0, xmm1
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.mulpd
chain.mulpd:
    mulpd xmm0, xmm1
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.muladd
chain.muladd:
    mulpd xmm0, xmm1
    addpd xmm0, xmm2
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.paddd
chain.paddd:
    paddd xmm0, xmm1
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.pmulld
chain.pmulld:
    pmulld xmm0, xmm1
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.pshufd
chain.pshufd:
    pshufd xmm0, xmm0, 27
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.divpd
chain.divpd:
    divpd xmm0, xmm1
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.divss
chain.divss:
    divss xmm0, xmm1
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.sqrtps
chain.sqrtps:
    sqrtps xmm0, xmm0
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.there_and_back
chain.there_and_back:
    movq xmm0, rax
    movq rax, xmm0
# LLVM-MCA-END

# LLVM-MCA-BEGIN chain.convert
chain.convert:
    cvtsi2sd xmm0, rax
    cvttsd2si rax, xmm0
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.alu
ports.alu:
    add rax, 1
    add rbx, 1
    add rcx, 1
    add rdx, 1
    add r8, 1
    add r9, 1
    add r10, 1
    add r11, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.shift
ports.shift:
    shl rax, 1
    shl rbx, 1
    shl rcx, 1
    shl rdx, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.imul
ports.imul:
    imul rax, r8, 7
    imul rbx, r8, 7
    imul rcx, r8, 7
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.mul
ports.mul:
    mov rax, r8
    mul r9
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.imul_popcnt
ports.imul_popcnt:
    imul rax, r8, 7
    popcnt rbx, r9
    lea rcx, [r10+r11+8]
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.lea
ports.lea:
    lea rax, [r8+r9]
    lea rbx, [r8+r10]
    lea rcx, [r8+r11]
    lea rdx, [r9+r10]
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.shuffle
ports.shuffle:
    pshufd xmm0, xmm4, 1
    pshufd xmm1, xmm4, 2
    pshufd xmm2, xmm4, 3
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.vector
ports.vector:
    paddd xmm0, xmm8
    paddd xmm1, xmm8
    paddd xmm2, xmm8
    pxor xmm3, xmm8
    por xmm4, xmm8
    pand xmm5, xmm8
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.float
ports.float:
    addpd xmm0, xmm8
    mulpd xmm1, xmm8
    addpd xmm2, xmm8
    mulpd xmm3, xmm8
    addpd xmm4, xmm8
    mulpd xmm5, xmm8
    addpd xmm6, xmm8
    mulpd xmm7, xmm8
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.div_independent
ports.div_independent:
    divps xmm0, xmm8
    divps xmm1, xmm8
    divps xmm2, xmm8
    divps xmm3, xmm8
    divps xmm4, xmm8
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.setcc
ports.setcc:
    cmp r8, r9
    setb al
    cmp r10, r11
    setb bl
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.loads
memory.loads:
    mov rax, [rsi]
    mov rbx, [rsi+64]
    mov rcx, [rsi+128]
    mov rdx, [rsi+192]
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.vector_loads
memory.vector_loads:
    movaps xmm0, [rsi]
    movaps xmm1, [rsi+64]
    addps xmm2, [rsi+128]
    addps xmm3, [rsi+192]
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.stores
memory.stores:
    mov [rdi], rax
    mov [rdi+64], rbx
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.copy
memory.copy:
    mov rax, [rsi]
    mov [rdi], rax
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.modify
memory.modify:
    add qword ptr [rdi], rax
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.push_pop
memory.push_pop:
    push rax
    push rbx
    pop rcx
    pop rdx
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.sum4
memory.sum4:
    add rax, [rsi]
    add rbx, [rsi+64]
    add rcx, [rsi+128]
    add rdx, [rsi+192]
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.axpy
mixed.axpy:
    movapd xmm0, [rsi]
    mulpd xmm0, xmm8
    addpd xmm0, [rdi]
    movapd [rdi], xmm0
    add rsi, 16
    add rdi, 16
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.hash
mixed.hash:
    xor rax, rbx
    imul rax, r8
    mov rcx, rax
    shr rcx, 32
    xor rax, rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.xorshift
mixed.xorshift:
    mov rdx, rax
    shl rdx, 13
    xor rax, rdx
    mov rdx, rax
    shr rdx, 7
    xor rax, rdx
    mov rdx, rax
    shl rdx, 17
    xor rax, rdx
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.fibonacci
mixed.fibonacci:
    lea rcx, [rax+rbx]
    mov rax, rbx
    mov rbx, rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.poly
mixed.poly:
    mulsd xmm0, xmm8
    addsd xmm0, xmm9
    mulsd xmm1, xmm8
    addsd xmm1, xmm9
    add rax, 1
    add rbx, 2
    shl rcx, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.bytes
mixed.bytes:
    movzx eax, byte ptr [rsi]
    xor eax, ebx
    and eax, 255
    mov rcx, [rdi+rax*8]
    shr rbx, 8
    xor rbx, rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.nops
mixed.nops:
    nop
    add rax, 1
    nop
    add rbx, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN loop.count
loop.count:
    add rax, 1
    add rbx, 1
    add rcx, 1
    add rdx, 1
    add rsi, 1
    dec rdi
    jne loop.count
# LLVM-MCA-END

# LLVM-MCA-BEGIN loop.sum
loop.sum:
    add rax, [rsi]
    add rsi, 8
    dec rdi
    jne loop.sum
# LLVM-MCA-END

# LLVM-MCA-BEGIN div.r32
div.r32:
    xor edx, edx
    mov eax, r8d
    div ecx
# LLVM-MCA-END

# LLVM-MCA-BEGIN div.r64
div.r64:
    xor edx, edx
    mov rax, r8
    div rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.add_then_shift
ports.add_then_shift:
    add rax, 1
    add rbx, 1
    shl rcx, 1
    shl rdx, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.add_shift_imul
ports.add_shift_imul:
    add rax, 1
    shl rbx, 1
    imul rcx, r8, 7
    add rdx, 1
    shl r9, 1
    add r10, 1
    popcnt r11, r8
    shl r12, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.lea_imul_add
ports.lea_imul_add:
    lea rax, [r8+r9]
    imul rbx, r8, 7
    add rcx, 1
    add rdx, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.shuffle_add
ports.shuffle_add:
    pshufd xmm0, xmm8, 1
    paddd xmm1, xmm8
    paddd xmm2, xmm8
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.vector_scalar
ports.vector_scalar:
    add rax, 1
    paddd xmm1, xmm8
    add rbx, 1
    paddd xmm2, xmm8
    add rcx, 1
    paddd xmm3, xmm8
    shl rdx, 1
    add r9, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN ports.mul_by_vector
ports.mul_by_vector:
    pmuludq xmm0, xmm8
    pmuludq xmm1, xmm8
    pshufd xmm2, xmm8, 1
    paddq xmm3, xmm8
    add rax, 1
    imul rbx, r8, 7
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.load_store_alu
memory.load_store_alu:
    mov rax, [rsi]
    add rax, rbx
    mov [rdi], rax
    add rcx, 1
    shl rdx, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.two_loads_one_store
memory.two_loads_one_store:
    mov rax, [rsi]
    mov rbx, [rsi+64]
    mov [rdi], rcx
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.broadcast_store
memory.broadcast_store:
    movd xmm0, eax
    pshufd xmm0, xmm0, 0
    movaps [rdi], xmm0
# LLVM-MCA-END

# LLVM-MCA-BEGIN memory.compare
memory.compare:
    cmp rax, [rsi]
    sete bl
    add rcx, [rdi]
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.matrix
mixed.matrix:
    movaps xmm0, [rsi]
    mulps xmm0, xmm8
    addps xmm4, xmm0
    movaps xmm1, [rsi+64]
    mulps xmm1, xmm8
    addps xmm5, xmm1
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.crc
mixed.crc:
    crc32 rax, rbx
    add rbx, 8
    xor rcx, rax
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.select
mixed.select:
    cmp rax, rbx
    cmovl rax, rcx
    add rbx, 1
    sub rcx, 1
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.clamp
mixed.clamp:
    maxps xmm0, xmm8
    minps xmm0, xmm9
    addps xmm0, xmm10
# LLVM-MCA-END

# LLVM-MCA-BEGIN mixed.unpack
mixed.unpack:
    movdqa xmm0, [rsi]
    movdqa xmm1, xmm0
    punpcklbw xmm0, xmm8
    punpckhbw xmm1, xmm8
    paddw xmm2, xmm0
    paddw xmm3, xmm1
# LLVM-MCA-END
