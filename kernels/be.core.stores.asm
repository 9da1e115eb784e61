; Hypothesis: stores to lines that L1 owns leave the store buffer one a cycle. The port of store
; data is busy in every cycle, the ports for arithmetic only with the loop, and three slots of four
; wait.

%include "kernels/kernel.inc"

KERNEL be.core.stores, "stores, one a cycle"
    ITERATIONS  400
    ARENA       4096
    LEAF        tma_store_op_utilization
    LEVEL       5
    EXPECT  INST_RETIRED.ANY,               n * 18,         n * 18
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES | MEM_UOPS_RETIRED.ALL_STORES,    n * 16,         n * 16
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_resource_bound | tma_core_bound, 0.5,            1
PREPARE
%assign line 0
%rep 16
    mov   qword [rsi + line * 64], 0
%assign line line + 1
%endrep
    ret
CODE
.loop:
%assign line 0
%rep 16
    mov   [rsi + line * 64], rax
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
