; Hypothesis: an operand-size prefix that shortens an immediate from four bytes to two stops the
; length decoder for about three cycles each time. The uop cache would hide that, so there are more
; of these additions than it holds: seven eighths of an L1 instruction cache with twelve additions
; in every 64 bytes, which take two lines of six or eight uops: 896 lines, and the largest uop cache
; has 512. A register is used again four additions later, so nothing else slows the additions down.
; An iteration runs the code once: twelve additions and a NOP in every 64 bytes, and RET. Where such
; a prefix costs nothing (Zen), the kernel is not run.

%include "kernels/kernel.inc"
%include "kernels/straight.inc"

KERNEL fe.lcp, "length-changing prefixes"
    ITERATIONS  1 if lcp_stalls > 0 else NA
    ARENA       l1i_size * 7 / 8 + 64
    LEAF        tma_lcp
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 64 * 13 + 4), n * ((arena - 64) / 64 * 13 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.9,           1.1
    EXPECT  DECODE.LCP / CPU_CLK_UNHALTED.THREAD, 0.4,      1
    EXPECT  tma_frontend_bound,             0.6,            1
    EXPECT  tma_fetch_latency,              0.4,            1
PREPARE
    STRAIGHT_CODE .pattern
    ret
    align 16, db 0xcc
.pattern:
%rep 3
    add   cx, strict word 0x1234            ; 5 bytes each
    add   dx, strict word 0x1234
    add   bx, strict word 0x1234
    add   bp, strict word 0x1234
%endrep
    db    0x0f, 0x1f, 0x40, 0x00            ; NOP of 4 bytes
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
