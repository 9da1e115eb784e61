; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are chains
; of 32 additions, which take one cycle each and keep one port busy. (The renamer of Golden Cove and
; later makes additions of constants itself, so these add a register.) The other parts are NOPs of
; about as many cycles (four slots each), which need no port. At most one re-order buffer full
; overlaps in an iteration. So the share of the slots lost to the core's ports rises in a straight
; line with the dose. (The kernel names the node of level 2: Haswell's formula for the node below it
; counts cycles without a uop, and cycles of NOPs are such cycles.)

%include "kernels/kernel.inc"

PARTS equ 100

KERNEL mix.core.port, "chains of additions among NOPs, by dose"
    ITERATIONS  1
    LEAF        tma_resource_bound | tma_core_bound
    LEVEL       3
    DOSES       11
    EXPECT  INST_RETIRED.ANY,               n * (13008 - 96 * dose), n * (13008 - 96 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,        n * 103
CODE 9
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts of NOPs
.turn:
    mov   rcx, r9
    test  rcx, rcx
    jz    .rest
.chain:
%rep 32
    add   rdx, rdx
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
