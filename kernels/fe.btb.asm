; Hypothesis: twice as many taken jumps as the branch target buffer has entries, visited cyclically,
; so the predictor knows none of them when it comes round again. The decoder finds each jump and
; restarts the fetch behind it, a dozen cycles for one uop. The jumps stand four bytes apart, each
; over two bytes that never run, so that the code is small: about the L1 instruction cache, and in
; address order. An iteration runs all of them once and returns.

%include "kernels/kernel.inc"

JUMP_BYTES equ 4

KERNEL fe.btb, "more jumps than the branch target buffer holds"
    ITERATIONS  1
    ARENA       btb_entries * 2 * 4 + 64
    LEAF        tma_unknown_branches | tma_branch_resteers
    EXPECT  INST_RETIRED.ANY,               n * (btb_entries * 2 + 4),  n * (btb_entries * 2 + 4)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * (btb_entries * 2 + 3),  n * (btb_entries * 2 + 3)
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * (btb_entries * 2 + 3),  n * (btb_entries * 2 + 3)
    EXPECT  BACLEARS.ANY,                   n * btb_entries * 2 * 0.6,  n * btb_entries * 2 * 1.1
    EXPECT  tma_frontend_bound,             0.7,            1
    EXPECT  tma_fetch_latency,              0.6,            1
PREPARE
    mov   rdi, rsi
    lea   rcx, [r8 - 64]
    shr   rcx, 2
    mov   eax, 0x906602eb                   ; JMP over 2 bytes, NOP of 2 bytes
.jump:
    mov   [rdi], eax
    add   rdi, JUMP_BYTES
    dec   rcx
    jnz   .jump
    mov   byte [rdi], 0xc3                  ; RET
    ret
CODE
.turn:
    call  rsi
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
