; Hypothesis: a store that crosses the end of a cache line is written to L1 in two steps, so two
; such stores take the time of four. They are issued faster than they leave, the store buffer fills,
; and nothing waits for a line: all lines are in L1. An addition that waits for nothing begins with
; each store, so a cycle of three uops and an empty cycle alternate. The lost slots of both are the
; store buffer's; with only the two uops of a store, the formulas of Skylake and Ice Lake would
; assign part of every other cycle to the core.

%include "kernels/kernel.inc"

STORES equ 16
LINE   equ 64

KERNEL be.mem.split_stores, "stores that cross the end of a line"
    ITERATIONS  250
    ARENA       4096
    PAGES       4K
    LEAF        tma_split_stores
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 34,         n * 34
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 16,         n * 16
    EXPECT  MEM_INST_RETIRED.SPLIT_STORES,  n * 16,         n * 16
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 16 * 1.5,   n * 16 * 6
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_memory_bound,               0.4,            1
    EXPECT  tma_store_bound,                0.3,            1
PREPARE
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    add   eax, 8
    cmp   eax, (STORES + 1) * LINE
    jb    .clear
    ret
CODE
    align 32
.loop:
%assign i 0
%rep STORES
    mov   [rsi + i * LINE + LINE - 4], rdi
    add   rax, 1
%assign i i + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
