; Hypothesis: plain loads and stores of lines that L1 holds: a load is one uop for the ports of
; loads, a store is one uop for its data and one for its address. Nothing crosses a line, misses or
; is locked. Every load takes its address from the load before, and every store its address and its
; data, so that in a cycle at most one uop begins on the ports of each kind: whether an event counts
; uops or cycles with a uop, which Ice Lake's list leaves open, it counts the same. And when the end
; of the loop is mispredicted, the loads and stores behind it wait for that chain, and are thrown
; away before they begin.

%include "kernels/kernel.inc"

KERNEL exact.memory, "loads and stores in L1"
    LEVEL       3
    ITERATIONS  60
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 50,         n * 50
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 32,         n * 32
    EXPECT  MEM_INST_RETIRED.ALL_STORES | MEM_UOPS_RETIRED.ALL_STORES, n * 16, n * 16
    EXPECT  MEM_INST_RETIRED.ANY | MEM_UOP_RETIRED.ANY, n * 48, n * 48
    EXPECT  MEM_LOAD_RETIRED.L1_HIT,        n * 32 - 2,     n * 32 + 2
    EXPECT  MEM_LOAD_RETIRED.L1_MISS,       -2,             2
    EXPECT  UOPS_DISPATCHED.PORT_4_9 | UOPS_DISPATCHED_PORT.PORT_4, n * 16 - 2, n * 16 + 2
    EXPECT  UOPS_DISPATCHED.PORT_7_8,       n * 16 - 2,     n * 16 + 2
    EXPECT  UOPS_DISPATCHED.PORT_2_3 | UOPS_DISPATCHED.PORT_2_3_10, n * 32 - 2, n * 32 + 2
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    0,              0
    EXPECT  LD_BLOCKS.STORE_FORWARD,        0,              0
PREPARE
%assign line 0
%rep 16
    mov   [rsi + line * 64], rsi
    mov   [rsi + line * 64 + 8], rsi
    mov   [rsi + 2048 + line * 64], rsi
%assign line line + 1
%endrep
    ret
CODE
    mov   rax, rsi
.loop:
%assign line 0
%rep 16
    mov   rax, [rax + line * 64]
    mov   [rax + 2048 + line * 64], rax
    mov   rax, [rax + line * 64 + 8]
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
