; Hypothesis: a jump that is always taken is one uop, which can use port 6 only where there is a
; port 6. The loop's branch may use it too and is less than a hundredth of the jumps. When the end of
; the loop is mispredicted, jumps begin behind it that are thrown away.

%include "kernels/kernel.inc"

KERNEL exact.jumps, "jumps to the next instruction"
    LEVEL       3
    ITERATIONS  60
    EXPECT  INST_RETIRED.ANY,               n * 122,        n * 122
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 121,        n * 121
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 121,        n * 121
    EXPECT  UOPS_DISPATCHED.PORT_6 | UOPS_DISPATCHED_PORT.PORT_6, n * 120 - 2, n * 121 + 2
    EXPECT  BACLEARS.ANY,                   -2,             2
CODE
    align 64
.loop:
%rep 120
    jmp   short $ + 8
    times 6 db 0xcc
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
