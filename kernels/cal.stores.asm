; Hypothesis: an instruction that writes memory is one store, whatever its width, although it is two
; uops inside (address and data).

%include "kernels/kernel.inc"

KERNEL cal.stores, "eight stores an iteration"
    ITERATIONS  500
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 1,          n * 1
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 1,          n * 1
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 8,          n * 8
CODE
.loop:
    mov   [rsi], rdi
    mov   [rsi + 64], edi
    mov   [rsi + 128], di
    mov   [rsi + 192], dil
    mov   qword [rsi + 256], -1
    mov   byte [rsi + 320], 7
    movdqa [rsi + 384], xmm0
    movsd [rsi + 448], xmm1
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
