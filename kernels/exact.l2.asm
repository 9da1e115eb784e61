; Hypothesis: a ring of lines half as large as L2, which is a few times as large as L1, is visited
; in an order that no prefetcher follows: when a line is visited again, L1 has lost it and L2 still
; has it.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 6                            ; a node is a line
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL exact.l2, "loads that hit L2"
    LEVEL       3
    ITERATIONS  300
    ARENA       4096 + l2_size / 2
    EXPECT  INST_RETIRED.ANY,               n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n,              n
    EXPECT  MEM_LOAD_RETIRED.L1_MISS | MEM_LOAD_UOPS_RETIRED.L1_MISS, n - 2, n + 2
    EXPECT  MEM_LOAD_RETIRED.L2_HIT | MEM_LOAD_UOPS_RETIRED.L2_HIT, n - 2, n + 2
    EXPECT  MEM_LOAD_RETIRED.L3_HIT | MEM_LOAD_UOPS_RETIRED.L3_HIT | \
                MEM_LOAD_UOPS_RETIRED.LLC_HIT, -2, 2
    EXPECT  MEM_LOAD_RETIRED.L3_MISS | MEM_LOAD_UOPS_RETIRED.L3_MISS | \
                MEM_LOAD_UOPS_RETIRED.LLC_MISS, -2, 2
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    RING_CHASE
ENDKERNEL
