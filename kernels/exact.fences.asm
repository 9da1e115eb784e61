; Hypothesis: LFENCE and PAUSE are counted by their own events, once each.

%include "kernels/kernel.inc"

KERNEL exact.fences, "fences and pauses"
    LEVEL       3
    ITERATIONS  15
    EXPECT  INST_RETIRED.ANY,               n * 8,          n * 8
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MISC2_RETIRED.LFENCE,           n * 4,          n * 4
    EXPECT  MISC_RETIRED.PAUSE_INST,        n * 2,          n * 2
CODE
.loop:
%rep 2
    lfence
    lfence
    pause
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
