; Hypothesis: a load of eight bytes cannot be forwarded from a store in the store buffer that wrote
; only the first of them: the load is blocked once and waits until the store is in L1. The
; multiplications (of the zero that was loaded) wait for the load, and the next store and load wait
; for the multiplications, so that no pair disturbs another.

%include "kernels/kernel.inc"

KERNEL exact.forward, "loads larger than the store before them"
    LEVEL       3
    ITERATIONS  60
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 34,         n * 34
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 4,          n * 4
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 4,          n * 4
    EXPECT  LD_BLOCKS.STORE_FORWARD,        n * 4 - 2,      n * 4 + 2
PREPARE
    mov   qword [rsi], 0
    ret
CODE
    xor   eax, eax
.loop:
%rep 4
    mov   byte [rsi + rax], 0
    mov   rax, [rsi + rax]
%rep 6
    imul  rax, rax
%endrep
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
