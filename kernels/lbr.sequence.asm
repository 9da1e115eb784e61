; Hypothesis: an iteration takes eight branches, of every kind that a filter can name, and takes them
; each time. So the records of a last-branch stack are known to the address, with every filter.
; The second return goes elsewhere than its call would have it and is mispredicted. The one
; conditional branch that an iteration does not take ends the run when it is taken; so in a run of
; one iteration every mispredicted branch is a taken one, and has a record.

%include "kernels/kernel.inc"

KERNEL lbr.sequence, "eight taken branches of every kind, known to the address"
    ITERATIONS  600
    EXPECT  INST_RETIRED.ANY,               n * 15,         n * 15
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 9,          n * 9
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 8,          n * 8
    TAKEN   JUMP,          .loop, .forth
    TAKEN   CONDITIONAL,   .forth_taken, .near
    TAKEN   CALL,          .near, .empty
    TAKEN   RETURN,        .empty, .after_near
    TAKEN   JUMP_INDIRECT, .jump, .target
    TAKEN   CALL_INDIRECT, .far, .elsewhere
    TAKEN   RETURN,        .astray, .end
    TAKEN   JUMP,          .back, .loop
    LEAVES  CONDITIONAL,   .leave, .done
CODE
.loop:
    jmp   .forth
    int3
.empty:
    ret
    int3
.forth:
    test  rdi, rdi
.forth_taken:
    jnz   .near                             ; taken, as n > 0
    int3
.near:
    call  .empty
.after_near:
    lea   rax, [.target]
.jump:
    jmp   rax
    int3
.elsewhere:
    lea   rax, [.end]
    mov   [rsp], rax
.astray:
    ret                                     ; to .end, not to where the call was
    int3
.target:
    lea   rax, [.elsewhere]
.far:
    call  rax
    int3
.end:
    dec   rdi
.leave:
    jz    .done                             ; taken once, at the end
.back:
    jmp   .loop
.done:
    ret
ENDKERNEL
