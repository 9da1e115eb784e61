; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are
; divisions of doubles, each waiting for the one before it. The other parts are chains of additions
; that take about as long. The additions wait for the divisions and the divisions for the additions,
; so nothing overlaps, and the share of the cycles in which the divider is active rises in a
; straight line with the dose.

%include "kernels/kernel.inc"

PARTS equ 100

KERNEL mix.core.div, "divisions among additions, by dose"
    ITERATIONS  6
    LEAF        tma_divider
    LEVEL       3
    DOSES       11
    EXPECT  INST_RETIRED.ANY,               n * (1614 - 13 * dose), n * (1614 - 13 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,        n * 103
CODE
    mov   eax, 3
    cvtsi2sd xmm1, eax
    cvtsi2sd xmm0, eax
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts that add
    xor   edx, edx
.turn:
    movq  xmm2, rdx
    orpd  xmm0, xmm2
    mov   rcx, r9
    test  rcx, rcx
    jz    .add
.divide:
    divsd xmm0, xmm1
    dec   rcx
    jnz   .divide
.add:
    movq  rdx, xmm0
    mov   rcx, rbx
    test  rcx, rcx
    jz    .done
.part:
%rep 14
    add   rdx, rdx
%endrep
    dec   rcx
    jnz   .part
.done:
    and   rdx, 0
    add   r8, rdx
    movapd xmm0, xmm1
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
