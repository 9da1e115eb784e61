; Hypothesis: a load of eight bytes that two stores of four bytes have just written cannot be
; forwarded from either store: it waits until both stores are in L1, and a little longer. The next
; pair of stores writes the value that the load returned, so these waits do not overlap. On NetBurst,
; with three slots, a wait takes about 50 cycles (A. Fog, "The microarchitecture of Intel, AMD and VIA
; CPUs").

%include "kernels/kernel.inc"

KERNEL be.mem.store_forward, "loads across two recent stores"
    ITERATIONS  150
    ARENA       4096
    PAGES       4K
    LEAF        tma_store_fwd_blk
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 14,         n * 14
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 4,          n * 4
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 8,          n * 8
    EXPECT  LD_BLOCKS.STORE_FORWARD,        n * 4 * 0.95,   n * 4 * 1.5
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 4 * (9 if width > 3 else 35), n * 4 * (30 if width > 3 else 65)
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
    EXPECT  tma_store_fwd_blk,              0.4,            1
PREPARE
    mov   qword [rsi], 0
    ret
CODE
    mov   rax, [rsi]
    align 32
.loop:
%rep 4
    mov   [rsi], eax
    mov   [rsi + 4], eax
    mov   rax, [rsi]
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
