; Hypothesis: far branches are recorded like near ones (SDM 3B, "LBR Stack": taken branches, interrupts
; and exceptions), by a bit of the filter that is theirs alone (FAR_BRANCH of MSR_LBR_SELECT,
; OTHER_BRANCH of IA32_LBR_CTL), and where a record has a type, it is `other branch`. FROM is the far
; branch itself, TO where it goes. A far return pops the code segment along with the address; an IRET
; pops flags and stack, too, as at the end of an interrupt's handler. Here both stay in the segment
; and the ring that they are in. (A far JMP or CALL through memory is left out: AMD's take no address
; of 64 bits.)
;
; Of five branches two are far. Some events of branches have these, some have not, and on NetBurst the
; event of taken branches has them: what is claimed of both events leaves it open.

%include "kernels/kernel.inc"

KERNEL lbr.far, "far returns and interrupt returns among near branches"
    LEVEL       7
    ITERATIONS  100
    EXPECT  INST_RETIRED.ANY,               n * 19,         n * 19
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 5
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 2,          n * 4
    TAKEN   FAR,           .far_return, .there
    TAKEN   CONDITIONAL,   .forth, .frame
    TAKEN   FAR,           .interrupt_return, .back
    TAKEN   JUMP,          .again, .loop
    LEAVES  CONDITIONAL,   .leave, .done
CODE
.loop:
    mov   eax, cs
    lea   rcx, [.there]
    push  rax
    push  rcx
.far_return:
    o64 retf
    int3
.there:
    test  rdi, rdi
.forth:
    jnz   .frame                            ; taken, as n > 0
    int3
.frame:
    mov   rdx, rsp
    mov   ecx, ss
    push  rcx
    push  rdx
    push  2                                 ; the flags: none is set, bit 1 always is
    push  rax
    lea   rcx, [.back]
    push  rcx
.interrupt_return:
    iretq
    int3
.back:
    dec   rdi
.leave:
    jz    .done                             ; taken once, at the end
.again:
    jmp   .loop
.done:
    ret
ENDKERNEL
