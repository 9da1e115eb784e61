; Hypothesis: NOPs of one byte are so dense that no uop cache holds them (32 of them in 32 bytes, or
; 64 in 64, where at most 18 and 48 fit), so every uop comes from the decoders, every time. Behind a
; mispredicted end of the loop the decoders go on for up to 20 cycles, perhaps in windows of one
; length only: 120 uops of six decoders, and the bounds allow 123.

%include "kernels/kernel.inc"

KERNEL exact.decode, "NOPs that only the decoders deliver"
    LEVEL       3
    ITERATIONS  100
    EXPECT  INST_RETIRED.ANY,               n * 247,        n * 247
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  INST_RETIRED.NOP,               n * 245,        n * 245
    EXPECT  IDQ.MITE_UOPS,                  n * 246 * 0.995,    n * 246 * 1.005
CODE
    align 64
.loop:
%rep 245
    nop
%endrep
    dec   rdi                               ; 3 bytes and 2 of JNZ, away from the boundary
    jnz   .loop
    ret
ENDKERNEL
