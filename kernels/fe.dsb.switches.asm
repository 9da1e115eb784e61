; Hypothesis: straight code too large for the uop cache calls, from every line, a function that
; stays in the uop cache. So at each return the front end switches from the uop cache to the legacy
; decoder, which costs up to two cycles, and the code behind the return is five uops and a call in
; 64 bytes. A 64-bit constant takes two places in the uop cache, so a line of code takes two lines
; there. Without a uop cache (the CPU's description states no size) the kernel is skipped.

%include "kernels/kernel.inc"
%include "kernels/straight.inc"

KERNEL fe.dsb.switches, "calls from the legacy decoder into the uop cache and back"
    ITERATIONS  2
    ARENA       l1i_size * 7 / 8 + 64 if uop_cache > 0 else NA
    LEAF        tma_dsb_switches
    LEVEL       3
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 64 * 8 + 4), n * ((arena - 64) / 64 * 8 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES, n * ((arena - 64) / 32 + 3), n * ((arena - 64) / 32 + 3)
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN, n * ((arena - 64) / 32 + 3), n * ((arena - 64) / 32 + 3)
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.5,           0.9
    EXPECT  tma_frontend_bound,             0.5,            0.9
PREPARE
    STRAIGHT_CODE .pattern
    mov   dword [rdi + 32], 0x00c390        ; the function, behind the last line: NOP, RET
    lea   rax, [rdi + 32]
.call:                                      ; fills in the call of every line, relative to its end
    mov   rcx, rax
    sub   rcx, rdi
    mov   [rdi - 4], ecx
    sub   rdi, 64
    cmp   rdi, rsi
    ja    .call
    ret
    align 16, db 0xcc
.pattern:                                   ; moves of 12, 12, 12, 12 and 11 bytes, a call of 5
%macro CONSTANT 2
%rep %1
    db    0x3e                              ; a prefix without effect here
%endrep
    mov   %2, strict qword 0x0102030405060708
%endmacro
    CONSTANT 2, rax
    CONSTANT 2, rcx
    CONSTANT 2, rdx
    CONSTANT 2, rbx
    CONSTANT 1, rbp
    db    0xe8
    dd    0
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
