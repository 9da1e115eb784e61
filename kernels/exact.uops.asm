; Hypothesis: an addition of registers is one uop, and the loop's DEC and JNZ are fused into one
; uop. Nothing is mispredicted except the end of the loop, at most once a window, perhaps in windows
; of one length only. The uops issued behind it are thrown away. So the number of retired uops is
; known exactly, and the number of issued uops except for these.

%include "kernels/kernel.inc"

KERNEL exact.uops, "additions, a uop each"
    ITERATIONS  500
    EXPECT  INST_RETIRED.ANY,               n * 18,         n * 18
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  UOPS_ISSUED.ANY,                n * 17 - 2,     n * 17 + 2
    EXPECT  UOPS_RETIRED.RETIRE_SLOTS | UOPS_RETIRED.SLOTS, n * 17, n * 17
    EXPECT  UOPS_RETIRED.MACRO_FUSED | INST_RETIRED.MACRO_FUSED, n, n
    EXPECT  UOPS_EXECUTED.THREAD | UOPS_DISPATCHED.THREAD, n * 17 - 2, n * 17 + 2
    EXPECT  MACHINE_CLEARS.SMC,             0,              0
    EXPECT  BACLEARS.ANY,                   -2,             2
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   -2,             2
    EXPECT  MACHINE_CLEARS.COUNT,           0,              0
CODE
    align 64
.loop:
%rep 16
    add   rax, r10
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
