; Hypothesis: every instruction of the loop is counted, and one division takes most of its time. Samples of
; instructions should name each of them equally often. An interrupt names what follows the division much
; more often, since the counter overflows in the few cycles in which many instructions retire and the
; interrupt waits for the next division; that is its shadow. With precise distribution there is none.

%include "kernels/kernel.inc"

KERNEL skid.instructions, "a division among 100 instructions"
    ITERATIONS  50
    CAUSE   .division, every, INST_RETIRED.ANY | INST_RETIRED.PREC_DIST | INST_RETIRED.ANY_P
    EXPECT  INST_RETIRED.ANY,               n * 100,        n * 100
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
CODE
BLOCK .entry, 1
    mov   eax, 1000000007
    mov   ecx, 12345
BLOCK .loop, n
%rep 12
    add   rbx, rcx
    xor   r10, rcx
    lea   r11, [rcx + 3]
    mov   r9, rcx
%endrep
    and   eax, 0                            ; the same dividend each time, and yet it waits
    add   eax, 1000000007
    xor   edx, edx
.division:
    div   ecx
%rep 11
    sub   rbx, rcx
    inc   r10
    lea   r11, [rcx + 5]
    mov   r9, rcx
%endrep
    sub   rbx, rcx
    dec   rdi
    lea   r11, [rcx + 7]
    jnz   .loop
BLOCK .leave, 1
    ret
ENDKERNEL
