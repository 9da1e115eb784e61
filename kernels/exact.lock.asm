; Hypothesis: a locked exchange-and-add is one locked load and one store. (Whether it also counts
; among all loads is not expected here: the host test that counts accesses sees only a write.) The
; multiplications (of the zero that was loaded) wait for the exchange-and-add, and the next one
; waits for them: three to five cycles each, besides the time that a lock takes on a line that L1
; owns.

%include "kernels/kernel.inc"

KERNEL exact.lock, "locked exchange-and-adds"
    LEVEL       3
    ITERATIONS  50
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 74,         n * 74
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES | MEM_UOPS_RETIRED.ALL_STORES, n * 8, n * 8
    EXPECT  CPU_CLK_UNHALTED.THREAD, n * 8 * (8 * 3 + l1_latency), n * 8 * (8 * 5 + 30)
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS | MEM_UOPS_RETIRED.LOCK_LOADS, n * 8, n * 8
PREPARE
%assign line 0
%rep 8
    mov   qword [rsi + line * 64], 0
%assign line line + 1
%endrep
    ret
CODE
    xor   eax, eax
.loop:
%assign line 0
%rep 8
    lock xadd [rsi + rax + line * 64], rax
%rep 8
    imul  rax, rax
%endrep
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
