; Hypothesis: a locked addition to a line that L1 owns waits until all older stores have left the store
; buffer, and younger loads wait for it. Several in a row cost the latency of a lock each, although
; no cache misses and no other core has the line.

%include "kernels/kernel.inc"

KERNEL be.mem.lock, "locked additions to a line of L1"
    ITERATIONS  150
    ARENA       4096
    PAGES       4K
    LEAF        tma_lock_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 6,          n * 6
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 4,          n * 4
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    n * 4,          n * 4
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 4 * 14,     n * 4 * 30
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
PREPARE
    mov   qword [rsi], 0
    mov   qword [rsi + 64], 0
    ret
CODE
    align 32
.loop:
    lock add qword [rsi], 1
    lock add qword [rsi + 64], 1
    lock add qword [rsi], 1
    lock add qword [rsi + 64], 1
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
