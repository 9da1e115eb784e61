; Hypothesis: straight code of seven eighths of the L1 instruction cache is more than the uop cache
; holds (448 lines of code against at most 384 lines of six uops, two of which a 64-bit constant
; takes), so all of it comes through the legacy decoder. That reads 16 bytes a cycle; three
; instructions fill 32 bytes, so it gives three uops in two cycles to a machine four or five wide.
; An iteration runs the code once: six moves every 64 bytes, and RET.

%include "kernels/kernel.inc"
%include "kernels/straight.inc"

KERNEL fe.mite, "long instructions through the legacy decoder"
    ITERATIONS  2
    ARENA       l1i_size * 7 / 8 + 64
    LEAF        tma_mite
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 64 * 6 + 4), n * ((arena - 64) / 64 * 6 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.9,           1.1
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * arena / 16 * 0.95,  n * arena / 16 * 1.4
    EXPECT  tma_frontend_bound,             0.5,            0.85
    EXPECT  tma_fetch_bandwidth,            0.35,           0.85
PREPARE
    STRAIGHT_CODE .pattern
    ret
    align 16, db 0xcc
.pattern:                                   ; an instruction of 12 bytes and two of 10, twice
    db    0x3e, 0x3e                        ; prefixes without a meaning here
    mov   rax, strict qword 0x0102030405060708
    mov   rcx, strict qword 0x1112131415161718
    mov   rdx, strict qword 0x2122232425262728
    db    0x3e, 0x3e
    mov   rbx, strict qword 0x3132333435363738
    mov   rbp, strict qword 0x4142434445464748
    mov   r9, strict qword 0x5152535455565758
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
