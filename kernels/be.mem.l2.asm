; Hypothesis: the nodes fill at most half of the L2 cache, which is several times the L1 data cache,
; and a walk visits each node once. So every load misses L1 and hits L2, and an iteration takes one
; L2 latency. The nodes lie on 2 MiB pages, so no load waits for a translation.
; Beside another thread: the load, and the loop's branch of one uop or two. In the time of a load, an
; L2 latency or more where lines are lost to the other thread, half of the cycles of a front end
; deliver many times as many uops.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 6                            ; a node is a line
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.l2, "pointer chase in the L2 cache"
    ITERATIONS  2000
    ARENA       4096 + l2_size / 2
    LEAF        tma_l2_bound
    EXPECT  INST_RETIRED.ANY,               n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L2_HIT,        n * 0.95,       n + 5
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * l2_latency * 0.9,   n * l2_latency * 1.2
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.6,            1
    BESIDE  n * 2, n * 3, tma_frontend_bound, tma_bad_speculation
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    RING_CHASE
ENDKERNEL
