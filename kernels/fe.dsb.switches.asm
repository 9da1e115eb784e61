; Hypothesis: straight code too large for the uop cache calls a function that stays in it, from every
; line. So at each return the front end leaves the uop cache for the legacy decoder, which costs it
; up to two cycles, and the line behind is five uops and a call in 64 bytes. The constants of 64 bits
; take two places each in the uop cache, so a line of code takes two lines there (as in fe.mite).

%include "kernels/kernel.inc"
%include "kernels/straight.inc"

KERNEL fe.dsb.switches, "calls from the legacy decoder into the uop cache and back"
    ITERATIONS  2
    ARENA       l1i_size * 7 / 8 + 64
    LEAF        tma_dsb_switches
    LEVEL       3
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 64 * 8 + 4), n * ((arena - 64) / 64 * 8 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES, n * ((arena - 64) / 32 + 3), n * ((arena - 64) / 32 + 3)
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN, n * ((arena - 64) / 32 + 3), n * ((arena - 64) / 32 + 3)
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.5,           0.9
    EXPECT  tma_frontend_bound,             0.5,            0.9
PREPARE
    STRAIGHT_CODE .pattern
    ret
    align 16, db 0xcc
.pattern:                                   ; of 12, 12, 12, 13 and 13 bytes, and a call of 2
%macro CONSTANT 2
%rep %1
    db    0x3e                              ; a prefix without a meaning here
%endrep
    mov   %2, strict qword 0x0102030405060708
%endmacro
    CONSTANT 2, rax
    CONSTANT 2, rcx
    CONSTANT 2, rdx
    CONSTANT 3, r8
    CONSTANT 3, rbp
    call  rbx
CODE
    lea   rbx, [.function]
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
    align 64, db 0xcc
.function:
    nop
    ret
ENDKERNEL
