; Hypothesis: a turn is a hundred parts, and the dose says how many of them are chains of 32
; additions, which keep one port busy, one cycle each; the others are NOPs of about as many cycles
; (four slots each), which need no port. What overlaps is at most one re-order buffer full a turn. So
; the share of the slots that the core's ports cost rises in a straight line with the dose. (The node is
; that of level 2: Haswell's formula for its child counts cycles without a uop, as those of NOPs are.)

%include "kernels/kernel.inc"

PARTS equ 100

KERNEL mix.core.port, "chains of additions among NOPs, by dose"
    ITERATIONS  1
    LEAF        tma_core_bound
    LEVEL       3
    DOSES       11
    EXPECT  INST_RETIRED.ANY,               n * (13008 - 96 * dose), n * (13008 - 96 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,        n * 103
CODE
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts of NOPs
.turn:
    mov   rcx, r9
    test  rcx, rcx
    jz    .rest
.chain:
%rep 32
    add   rdx, 1
%endrep
    dec   rcx
    jnz   .chain
.rest:
    mov   rcx, rbx
    test  rcx, rcx
    jz    .done
.part:
%rep 128
    db    0x0f, 0x1f, 0x00                  ; NOP of 3 bytes
%endrep
    dec   rcx
    jnz   .part
.done:
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
