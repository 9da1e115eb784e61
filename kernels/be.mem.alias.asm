; Hypothesis: each load reads from the same page offset as the store just before it, but from
; another page. The first comparison uses the lower address bits only and finds a dependence that
; does not exist, and the load is tried again a few cycles later. The loads are a chain through
; their index register, so each of these waits costs time. The stores are not part of the chain:
; their addresses are known early, but each leaves the store buffer only after the load before it.
; No line misses L1.

%include "kernels/kernel.inc"

PAIRS equ 8
LINE  equ 64
PAGE  equ 4096

KERNEL be.mem.alias, "loads 4 KiB from a store"
    ITERATIONS  125
    ARENA       2 * 4096
    LEAF        tma_4k_aliasing
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 18,         n * 18
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 8,          n * 8
    EXPECT  LD_BLOCKS_PARTIAL.ADDRESS_ALIAS, n * 8 * 0.9,   n * 8 * 1.5
    EXPECT  CPU_CLK_UNHALTED.THREAD, n * 8 * (l1_latency + 2), n * 8 * (l1_latency + 12)
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
    EXPECT  tma_l1_bound,                   0.4,            1
PREPARE                                     ; the loads read zeros
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    add   eax, 8
    cmp   eax, 2 * PAGE
    jb    .clear
    ret
CODE
    xor   eax, eax
    align 32
.loop:
%assign pair 0
%rep PAIRS
    mov   [rsi + pair * LINE], edi
    mov   rax, [rsi + rax + pair * LINE + PAGE]
%assign pair pair + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
