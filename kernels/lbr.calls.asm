; Hypothesis: in call-stack mode a return takes the record of its call away, so what is left are the
; calls that are open. An iteration calls 39 deep in a ring of three functions, each by a call that
; differs from the others, and calls and returns from a leaf in between; then it goes back to its
; first stack frame without a return. The last return therefore takes the newest record away, and the
; records under it are the ring of calls, newest first.

%include "kernels/kernel.inc"

KERNEL lbr.calls, "39 open calls in a ring of three functions"
    ITERATIONS  60
    EXPECT  INST_RETIRED.ANY,               n * 110,        n * 110
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 80,         n * 80
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 67,         n * 67
    STACKED CALL,          .call_b, .b
    STACKED CALL,          .call_a, .a
    STACKED CALL_INDIRECT, .call_c, .c
CODE
.loop:
    mov   rdx, rsp
    mov   ecx, 13
    call  .a
    int3
.leaf:
    ret
.a:
    call  .leaf
.call_b:
    call  .b
    int3
.b:
    lea   rax, [.c]
.call_c:
    call  rax
    int3
.c:
    dec   ecx
    jz    .deep                             ; taken in the last of 13 rounds
.call_a:
    call  .a
    int3
.deep:
    dec   rdi
    jz    .done
    mov   rsp, rdx
    jmp   .loop
.done:
    mov   rsp, rdx
    ret
ENDKERNEL
