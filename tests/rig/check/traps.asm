; Instructions that trap or fault. check_trap goes on at check_resume after a fault, behind a trap.
bits 64
default rel
section .text
global check_movaps, check_movaps_to, check_paddd, check_movups, check_int3, check_int1, check_int1_behind
global check_int_absent, check_load_ds, check_load_ss
check_movaps:
    movaps xmm0, [rdi]
    ret
check_movaps_to:
    movaps [rdi], xmm0
    ret
check_paddd:
    paddd xmm0, [rdi]
    ret
check_movups:
    movups xmm0, [rdi]
    ret
check_int3:
    int3
    ret
check_int1:
    db 0xf1
check_int1_behind:
    ret
check_int_absent:
    int 0x90
    ret
check_load_ds:
    mov ds, di
    ret
check_load_ss:
    mov ss, di
    ret
