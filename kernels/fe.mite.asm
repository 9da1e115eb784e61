; Hypothesis: straight code of seven eighths of the L1 instruction cache is more than the uop cache
; holds. 31 moves of 64-bit constants fill 448 bytes, seven blocks of 64, and take two places each
; in the uop cache. Three of the blocks have the beginnings of five moves and need two lines even if
; a line has eight places. A set of a uop cache with 64 sets gets one of each of those seven blocks,
; ten lines for its eight ways. So all of the code comes through the legacy decoder. That reads 16
; or 32 bytes a cycle, 31 uops in 28 or 14 cycles, for a machine four, five or six wide: at least
; 0.557 of the slots are lost (five wide and 32 bytes), at most 0.779. An iteration runs the code
; once: 31 moves in every 448 bytes, and RET. A Pentium 4, three wide, decodes
; one move a cycle, out of L2: more of its slots are lost. An op cache of 6,912 ops (Zen 4) holds all
; of the code, so the kernel is not run there.

%include "kernels/kernel.inc"

KERNEL fe.mite, "long instructions through the legacy decoder"
    ITERATIONS  7 if uop_cache_covers_l1i < 1 else NA
    ARENA       l1i_size * 7 / 8 + 64
    LEAF        tma_mite
    EXPECT  INST_RETIRED.ANY, n * ((arena - 64) / 448 * 31 + 4), n * ((arena - 64) / 448 * 31 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  IDQ.MITE_UOPS / UOPS_ISSUED.ANY, 0.9,           1.1
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * arena / fetch_bytes * 0.95, \
            n * arena / fetch_bytes * 1.4
    EXPECT  tma_frontend_bound,             0.53,           0.85 if width > 3 else 1
    EXPECT  tma_fetch_bandwidth,            0.35,           0.85
PREPARE
    mov   rdx, rsi
    mov   rdi, rsi
    lea   rsi, [.pattern]
    mov   ecx, PATTERN
    rep movsb
    mov   rsi, rdx                          ; copies its own output on, up to the last 64 bytes
    lea   rcx, [r8 - 64 - PATTERN]
    rep movsb
    mov   byte [rdi], 0xc3                  ; RET
    ret
.pattern:                                   ; 17 instructions of 14 bytes and 14 of 15
%macro CONSTANT 2
%rep %1
    db    0x3e                              ; a prefix without effect here
%endrep
    mov   %2, strict qword 0x0102030405060708
%endmacro
%rep 14
    CONSTANT 5, rax
    CONSTANT 4, rcx
%endrep
    CONSTANT 4, rdx
    CONSTANT 4, rbx
    CONSTANT 4, rbp
PATTERN equ $ - .pattern
%if PATTERN != 448
%error the pattern must be 448 bytes
%endif
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
