; Hypothesis: every other line of one and a half to three times the L2 cache, visited cyclically,
; overflows the L2 sets that these lines map to and fits into L3. So every load misses L2 and hits
; L3. A node is a pair of lines because a prefetcher may fetch the other line of a pair. PREPARE
; walks the ring once, which leaves in L3 the nodes that L2 could not keep. A node that L2 kept is
; missing from the L3 hits of one window: missing from the window of 2n it lowers the difference,
; missing from the window of n it raises it, so the range allows for it on both sides. An L3 that is
; hardly larger than L2 holds too little of the ring; then there is nothing to expect.
; L3 has a clock of its own, so its latency is a time. The lookup in L2 before it takes the core's
; cycles, 10 to 15 of them by the CPU descriptions. They are part of that time at the clock of the
; figure, and more of it at a slower one: so the range allows for 16 cycles on top.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 7                            ; a node is a pair of lines
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.l3, "pointer chase in the L3 cache"
    ITERATIONS  1500
    ARENA       4096 + l2_size * 3 if l3_size >= l2_size * 1.5 else NA
    LEAF        tma_l3_bound
    EXPECT  INST_RETIRED.ANY,               n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L3_HIT,        n * 0.85,       n * 1.15
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * l3_latency * 0.7,   n * (l3_latency * 1.5 + 16)
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.7,            1
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE
    RING_CHASE
ENDKERNEL
