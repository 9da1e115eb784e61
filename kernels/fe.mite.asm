; Hypothesis: straight code of seven eighths of the L1 instruction cache is more than the uop cache
; holds: five moves of 64-bit constants fill 64 bytes and take ten places there, two lines of six or
; eight, and 448 times two lines are more than the 512 of the largest. So all of it comes through the
; legacy decoder. That reads 16 or 32 bytes a cycle, five uops in four cycles or two, for a machine
; four, five or six wide: at least half of the slots are lost (five wide and 32 bytes), at most 0.75.
; An iteration runs the code once: five moves every 64 bytes, and RET.

%include "kernels/kernel.inc"
%include "kernels/straight.inc"

KERNEL fe.mite, "long instructions through the legacy decoder"
    ITERATIONS  4
    ARENA       l1i_size * 7 / 8 + 64
    LEAF        tma_mite
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 64 * 5 + 4), n * ((arena - 64) / 64 * 5 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.9,           1.1
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * arena / fetch_bytes * 0.95, \
            n * arena / fetch_bytes * 1.4
    EXPECT  tma_frontend_bound,             0.49,           0.85
    EXPECT  tma_fetch_bandwidth,            0.35,           0.85
PREPARE
    STRAIGHT_CODE .pattern
    ret
    align 16, db 0xcc
.pattern:                                   ; four instructions of 13 bytes and one of 12
%macro CONSTANT 2
%rep %1
    db    0x3e                              ; a prefix without a meaning here
%endrep
    mov   %2, strict qword 0x0102030405060708
%endmacro
    CONSTANT 3, rax
    CONSTANT 3, rcx
    CONSTANT 3, rdx
    CONSTANT 3, rbx
    CONSTANT 2, rbp
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
