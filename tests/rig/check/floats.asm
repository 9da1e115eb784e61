; Instructions on numbers, each with the exceptions masked that its caller says. They fault, if they do, where only the return
; address is on the stack. RDI: struct numbers of floats.c.
bits 64
default rel
section .text

%macro FLOAT 2+
global check_%1, check_%1_at
check_%1:
    ldmxcsr [rdi]
    movups xmm9, [rdi + 16]
    movups xmm10, [rdi + 32]
    movdq2q mm7, xmm10
    movdq2q mm1, xmm9
check_%1_at:
    %2
    ret
%endmacro

FLOAT addsd, addsd xmm9, xmm10
FLOAT mulsd, mulsd xmm9, [rdi + 32]
FLOAT divsd, divsd xmm9, xmm10
FLOAT divps, divps xmm9, [rdi + 32]
FLOAT sqrtsd, sqrtsd xmm9, xmm10
FLOAT comisd, comisd xmm9, xmm10
FLOAT ucomisd, ucomisd xmm9, xmm10
FLOAT cmpltsd, cmpltsd xmm9, xmm10
FLOAT cmpeqsd, cmpeqsd xmm9, xmm10
FLOAT cvtsd2ss, cvtsd2ss xmm9, xmm10
FLOAT cvtsd2si, cvtsd2si rax, xmm10
FLOAT cvttsd2si, cvttsd2si eax, [rdi + 32]
FLOAT cvtsi2ss, cvtsi2ss xmm9, qword [rdi + 32]
FLOAT cvtps2pi, cvtps2pi mm1, xmm10
FLOAT cvttpd2pi, cvttpd2pi mm1, [rdi + 32]
FLOAT cvtpi2ps_memory, cvtpi2ps xmm9, [rdi + 32]
FLOAT cvtpi2ps, cvtpi2ps xmm9, mm7
FLOAT haddpd, haddpd xmm9, xmm10
FLOAT vdivsd, vdivsd xmm9, xmm9, xmm10
FLOAT vdivps, vdivps xmm9, xmm9, xmm10

; Behind each of them: MXCSR and the result, and nothing unmasked any more.
global check_float_result
check_float_result:
    stmxcsr [rdi]
    movups [rdi + 16], xmm9
    movq [rdi + 8], mm1
    emms
    ldmxcsr [usual]
    ret

section .rodata
usual: dd 0x1f80
section .note.GNU-stack noalloc noexec nowrite progbits
