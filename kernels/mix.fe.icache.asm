; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are jumps to
; lines of code that are in the L2 cache but not in L1; the predictors know the jumps, since PREPARE
; has taken them. The other parts are NOPs that take about as long. NOPs never wait, so no work is
; queued up when the front end reaches the jumps, and the share of the slots lost to the front end
; rises in a straight line with the dose.

%include "kernels/kernel.inc"

; A node is a line. Its code begins at its start for 128 nodes, at its middle for the next 128.
%macro NODE_ADDRESS 2
    mov   r14, %2
    shr   r14, 7
    and   r14d, 1
    shl   r14d, 5
    mov   %1, %2
    shl   %1, 6
    add   %1, r14
    add   %1, r9
%endmacro

%include "kernels/code_ring.inc"

PARTS equ 100

KERNEL mix.fe.icache, "jumps to code in the L2 cache among NOPs, by dose"
    ITERATIONS  1
    ARENA       4096 + (l1i_size * 4 if l1i_size * 8 <= l2_size else l2_size / 2)
    LEAF        tma_fetch_latency
    LEVEL       3
    DOSES       11
    EXPECT  INST_RETIRED.ANY, n * (8213 - 78 * dose), n * (8213 - 78 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * (105 + dose), n * (105 + dose)
PREPARE
    CODE_RING 6
    CODE_RING_WALK
    ret
CODE 25
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts of NOPs
    mov   r10, rdi
.turn:
    mov   rcx, rbx
    test  rcx, rcx
    jz    .walk
.part:
%rep 80
    db    0x0f, 0x1f, 0x00                  ; NOP of 3 bytes
%endrep
    dec   rcx
    jnz   .part
.walk:
    mov   rdi, r9
    inc   rdi                               ; one jump more, so that a dose of 0 needs no exception
    call  [rsi]
    dec   r10
    jnz   .turn
    ret
ENDKERNEL
