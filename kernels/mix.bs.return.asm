; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are
; mispredicted returns (as in bs.return), each of which wastes about 26 cycles. The other parts are
; three parallel chains of additions among NOPs, which take about as long and lose hardly any of
; four or five slots a cycle to the back end. A fence keeps the returns from beginning before the
; additions have ended, and nothing useful runs at the same time as a mispredicted return. So the
; share of the slots that mispredictions waste rises in a straight line with the dose.

%include "kernels/kernel.inc"

PARTS equ 100

KERNEL mix.bs.return, "mispredicted returns among additions, by dose"
    ITERATIONS  1
    LEAF        tma_branch_mispredicts
    LEVEL       3
    DOSES       11
    EXPECT  INST_RETIRED.ANY,               n * (11209 - 107 * dose), n * (11209 - 107 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * (103 + 2 * dose),   n * (103 + 2 * dose)
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n * dose,               n * dose
CODE 2
    lea   r8, [.landing]
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts that add
.turn:
    mov   rcx, rbx
    test  rcx, rcx
    jz    .added
.part:
%rep 22
    add   rax, 1
    add   rdx, 1
    add   r10, 1
    nop
    nop
%endrep
    dec   rcx
    jnz   .part
.added:
    lfence
    mov   rcx, r9
    test  rcx, rcx
    jz    .done
.return:
    call  .replace
%rep 96
    db    0x0f, 0x1f, 0x00                  ; NOP of 3 bytes, issued but never retired
%endrep
    jmp   .return
    align 64, db 0xcc
.replace:
    mov   [rsp], r8
    ret
    align 64, db 0xcc
.landing:
    dec   rcx
    jnz   .return
.done:
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
