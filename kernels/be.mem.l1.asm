; Hypothesis: in a chain of loads from a quarter of the L1 data cache, each load's address is the
; value that the load before it returned. So a load takes one L1 latency, and the machine waits for
; memory although no load misses. An iteration has eight loads, so that the loop's other
; instructions are few in comparison.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 6                            ; a node is a line
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.l1, "pointer chase in the L1 data cache"
    ITERATIONS  400
    ARENA       4096 + l1d_size / 4
    LEAF        tma_l1_bound
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L1_HIT,        n * 8 * 0.99,   n * 8 + 5
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 8 * l1_latency, n * 8 * l1_latency * 1.1
    EXPECT  tma_backend_bound,              0.7,            1
    EXPECT  tma_memory_bound,               0.5,            1
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    RING_CHASE 8
ENDKERNEL
