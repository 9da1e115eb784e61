; Hypothesis: a byte swap of a 64-bit register is two uops, which only the first of the legacy
; decoders makes; the other decoders are idle, since the next instruction is a byte swap too. So the
; decoders deliver two uops a cycle. A taken jump ends the decoding of its cycle, so of four jumps
; in a row, each to the next instruction, three also come from the first decoder alone. Six byte
; swaps and four jumps are 16 uops in nine cycles, less than half of the slots of a machine four,
; five or six wide. Their 64 bytes take at least three lines of the uop cache, so seven eighths of
; the L1 instruction cache are far more code than the uop cache holds. An iteration runs the code
; once, and RET.

%include "kernels/kernel.inc"
%include "kernels/straight.inc"

KERNEL fe.decoder0, "instructions that only the first decoder takes"
    ITERATIONS  3
    ARENA       l1i_size * 7 / 8 + 64
    LEAF        tma_decoder0_alone | tma_mite
    LEVEL       3
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 64 * 10 + 4), n * ((arena - 64) / 64 * 10 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * ((arena - 64) / 64 * 4 + 3), n * ((arena - 64) / 64 * 4 + 3)
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * ((arena - 64) / 64 * 4 + 3), n * ((arena - 64) / 64 * 4 + 3)
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.9,           1.1
    EXPECT  tma_decoder0_alone,             0.3,            0.6
    EXPECT  tma_frontend_bound,             0.45,           0.75
PREPARE
    STRAIGHT_CODE .pattern
    ret
    align 16, db 0xcc
.pattern:                                   ; four of 9 bytes, two of 10 and four of 2
%macro REVERSAL 2
%rep %1
    db    0x3e                              ; a prefix without effect here
%endrep
    bswap %2
%endmacro
    REVERSAL 6, rax
    REVERSAL 6, rcx
    REVERSAL 6, rdx
    REVERSAL 6, rbx
    REVERSAL 7, rbp
    REVERSAL 7, r8
%rep 4
    db    0xeb, 0x00                        ; JMP to the next instruction
%endrep
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
