; Hypothesis: NOPs of one byte are so dense that no uop cache holds them (32 of them in 32 bytes, or
; 64 in 64, where at most 18 and 48 fit), so every uop comes from the decoders, every time.

%include "kernels/kernel.inc"

KERNEL exact.decode, "NOPs that only the decoders deliver"
    LEVEL       3
    ITERATIONS  40
    EXPECT  INST_RETIRED.ANY,               n * 253,        n * 253
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  INST_RETIRED.NOP,               n * 251,        n * 251
    EXPECT  IDQ.MITE_UOPS,                  n * 252 * 0.995,    n * 252 * 1.005
CODE
    align 64
.loop:
%rep 251
    nop
%endrep
    dec   rdi                               ; 3 bytes and 2 of JNZ: 256 in all
    jnz   .loop
    ret
ENDKERNEL
