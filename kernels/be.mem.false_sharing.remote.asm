; Hypothesis: a core of another package has written to each line before this core writes to other
; words of it. Every store has to fetch its line over the link between the packages, from the cache
; that has it modified. The stores do not wait for each other, so they fill the fill buffers, and
; the store buffer behind them. The published formula of tma_false_sharing counts such lines where
; its CPU description has several packages (#DS).

%include "kernels/kernel.inc"
%include "kernels/remote.inc"

KERNEL be.mem.false_sharing.remote, "stores to lines that a core of another package has written"
    ITERATIONS  100
    ARENA       REMOTE_ARENA
    MOST        REMOTE_MOST
    LEAF        tma_false_sharing
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 7,          n * 7
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n,              n
    EXPECT  OFFCORE_RESPONSE.DEMAND_RFO.L3_MISS.REMOTE_HITM | OCR.DEMAND_RFO.L3_MISS.REMOTE_HITM | \
                OCR.DEMAND_RFO.L3_MISS:ocr_msr_val=0x103b800002 | \
                OFFCORE_RESPONSE.DEMAND_RFO.LLC_MISS.REMOTE_HITM, n * 0.9, n * 1.1
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
    EXPECT  tma_store_bound,                0.4,            1
    REMOTE_PREPARE
    REMOTE_RESET
    REMOTE_PARTNER REMOTE_WRITE
CODE
    mov   rcx, [rsi + REMOTE_INDEX]
.next:
    REMOTE_ADDRESS rax, rcx
    mov   [rax + 16], rdi
    add   ecx, REMOTE_STEP
    and   ecx, REMOTE_NODES - 1
    dec   rdi
    jnz   .next
    REMOTE_ADDRESS rax, rcx
    mov   [rsi + REMOTE_INDEX], rcx
    mov   [rsi + REMOTE_PLACE], rax
    ret
ENDKERNEL
