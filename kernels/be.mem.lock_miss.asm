; Hypothesis: a locked addition requests its line with ownership, and no younger load begins before
; the line is there. The lines have just been flushed from every cache and form a ring in an order
; that no prefetcher follows. So every lock waits for memory, one after the other: each adds zero to
; the address of the next node and reads that address from the same place. Where the only events for
; locks count requests for ownership (before Skylake), this is the case that their formula sees. The
; uops of a lock take a handful of the hundreds of cycles, so they cost hardly a slot.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 9                            ; too far apart for prefetchers that fetch pairs
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.lock_miss, "locked additions to lines in memory"
    ITERATIONS  150
    ARENA       4096 + 4194304
    MOST        (arena - 4096) / 512 / 2
    LEAF        tma_lock_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * memory_latency * 0.6, n * (memory_latency * 1.6 + 30)
    EXPECT  tma_backend_bound,              0.9,            1
    EXPECT  tma_memory_bound,               0.8,            1
PREPARE
    RING_OF_ARENA
    mov   [rsi], rax
    ret
RESET                                       ; flushes the next n nodes without reading them
    RING_FLUSH
    ret
CODE
    mov   rax, [rsi]
    align 32
.loop:
    xor   edx, edx
    lock xadd [rax], rdx                    ; rdx = the address of the next node
    mov   rax, rdx
    dec   rdi
    jnz   .loop
    mov   [rsi], rax
    ret
ENDKERNEL
