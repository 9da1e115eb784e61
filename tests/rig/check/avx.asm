; AVX: what C cannot say without being compiled for it. Each part faults, if it does, where only its caller's return address is on
; the stack, so that the handler can go on there.
bits 64
default rel
section .text

global check_xgetbv, check_xsetbv, check_vzeroupper, check_zmm, check_vload, check_vload_aligned, check_vstore, check_vcopy
global check_halves, check_sums, check_signs
global check_mask_load, check_mask_store, check_mask_load_wide, check_mask_store_wide
check_xgetbv:                   ; EDI: which register
    mov ecx, edi
    xgetbv
    shl rdx, 32
    or rax, rdx
    ret
check_xsetbv:                   ; EDI: which register, RSI: the value
    mov ecx, edi
    mov eax, esi
    mov rdx, rsi
    shr rdx, 32
    xsetbv
    ret
check_vzeroupper:
    vzeroupper
    ret
check_zmm:
    vpxord zmm16, zmm16, zmm16
    ret
check_vload:
    vmovups ymm0, [rdi]
    ret
check_vload_aligned:
    vmovaps ymm0, [rdi]
    ret
check_vstore:
    vmovups [rdi], ymm0
    ret
check_vcopy:                    ; 16 bytes from RSI to RDI
    vmovups xmm0, [rsi]
    vmovups [rdi], xmm0
    ret
; RDI: address, RSI: the mask (of AVX a vector, of AVX-512 its value), RDX: what is loaded or stored. The accesses themselves are called,
; so that one that faults comes back here.
check_mask_load:
    vmovups ymm1, [rsi]
    call .access
    vmovups [rdx], ymm0
    vzeroupper
    ret
.access:
    vmaskmovps ymm0, ymm1, [rdi]
    ret
check_mask_store:
    vmovups ymm1, [rsi]
    vmovups ymm0, [rdx]
    call .access
    vzeroupper
    ret
.access:
    vmaskmovps [rdi], ymm1, ymm0
    ret
check_mask_load_wide:
    kmovw k1, esi
    call .access
    vmovups [rdx], zmm0
    vzeroupper
    ret
.access:
    vmovups zmm0{k1}{z}, [rdi]
    ret
check_mask_store_wide:
    kmovw k1, esi
    vmovups zmm0, [rdx]
    call .access
    vzeroupper
    ret
.access:
    vmovups [rdi]{k1}, zmm0
    ret
; RSI: eight singles. At RDI what an SSE addition leaves of all eight, and behind it what VEX's leaves.
check_halves:
    vmovups ymm0, [rsi]
    addps xmm0, xmm0
    vmovups [rdi], ymm0
    vaddps xmm0, xmm0, xmm0
    vmovups [rdi+32], ymm0
    vzeroupper
    ret
; The same with registers that SSE and the emulator share: XMM0 is set by SSE and read by VEX, and the other way round.
check_sums:
    movups xmm9, [rsi]
    vaddps ymm8, ymm9, [rsi]
    addps xmm8, xmm9
    vmovups [rdi], ymm8
    vzeroall
    movups [rdi+32], xmm8
    ret
; RDI: eight singles. Their signs, bit by bit; bit 8: whether all their bits are 0; bit 9: the carry of that test.
check_signs:
    vmovups ymm7, [rdi]
    vmovmskps eax, ymm7
    vptest ymm7, ymm7
    setz cl
    setc dl
    movzx ecx, cl
    movzx edx, dl
    shl ecx, 8
    shl edx, 9
    or eax, ecx
    or eax, edx
    vzeroupper
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
