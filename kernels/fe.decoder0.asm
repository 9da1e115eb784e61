; Hypothesis: a reversal of eight bytes is two uops, which only the first of the legacy decoders
; makes; the others look on, since the next instruction is one of those too. So two uops a cycle come
; out of it, for a machine four, five or six wide. Ten in 64 bytes take at least three lines of the uop
; cache, so seven eighths of the L1 instruction cache are far more than that holds. An iteration runs
; the code once, and RET.

%include "kernels/kernel.inc"
%include "kernels/straight.inc"

KERNEL fe.decoder0, "instructions that only the first decoder takes"
    ITERATIONS  2
    ARENA       l1i_size * 7 / 8 + 64
    LEAF        tma_decoder0_alone | tma_mite
    LEVEL       3
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 64 * 10 + 4), n * ((arena - 64) / 64 * 10 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.9,           1.1
    EXPECT  tma_decoder0_alone,             0.3,            0.6
    EXPECT  tma_frontend_bound,             0.45,           0.75
PREPARE
    STRAIGHT_CODE .pattern
    ret
    align 16, db 0xcc
.pattern:                                   ; six of 6 bytes and four of 7
%macro REVERSAL 2
%rep %1
    db    0x3e                              ; a prefix without a meaning here
%endrep
    bswap %2
%endmacro
    REVERSAL 3, rax
    REVERSAL 3, rcx
    REVERSAL 3, rdx
    REVERSAL 4, rbx
    REVERSAL 4, rbp
    REVERSAL 3, r8
    REVERSAL 3, r9
    REVERSAL 3, r10
    REVERSAL 4, r11
    REVERSAL 4, r12
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
