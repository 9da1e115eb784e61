; Hypothesis: plain loads and stores of lines that L1 holds: a load is one uop for the ports of
; loads, a store is one uop for its data and one for its address. Nothing crosses a line, misses,
; waits for a store or is locked.

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
%rep 48
    mov   qword [rsi + line * 64], 0
%assign line line + 1
%endrep
    ret
CODE
.loop:
%assign line 0
%rep 16
    mov   rax, [rsi + line * 64]
    mov   [rsi + 2048 + line * 64], rdx
    mov   rcx, [rsi + line * 64 + 8]
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
