; Hypothesis: a load of eight bytes cannot be answered from a store of the first of them that is still
; in the store buffer; it is blocked once and waits until the store is in L1. The multiplications (of
; the zero that was loaded) wait for the load and the next pair for them, so that no pair meets another.

%include "kernels/kernel.inc"

KERNEL exact.forward, "loads that a smaller store cannot answer"
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
