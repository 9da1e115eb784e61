; Hypothesis: one chain of loads goes through half of the L2 cache. Each load misses L1 and hits L2,
; one at a time, so no buffer is ever full: the latency of L2 is the only bottleneck. The nodes lie
; on one or a few 2 MiB pages, so no load waits for a translation. Of tma_l2_hit_latency no share is
; expected: it is the published cost of a hit, a time, times the hits, and L2 takes the same number
; of cycles at every clock. At 1.2 GHz 3.5 ns are 0.3 of 14 cycles, at 5.4 GHz they are 1.35.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 6                            ; a node is a line
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.l2_latency, "pointer chase in the L2 cache, one load at a time"
    ITERATIONS  1000
    ARENA       4096 + l2_size / 2
    LEAF        tma_l2_hit_latency | tma_l2_bound
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L2_HIT,        n * 0.95,       n + 5
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * l2_latency * 0.9,   n * l2_latency * 1.2
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.6,            1
    EXPECT  tma_l2_bound,                   0.5,            1
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    RING_CHASE
ENDKERNEL
