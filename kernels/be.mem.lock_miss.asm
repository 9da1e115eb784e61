; Hypothesis: a locked addition asks for its line with ownership, and nothing younger is loaded before
; it has it. The lines have just been flushed from every cache and are those of a ring in an order that no
; prefetcher follows, so every lock waits for memory, one after the other: each adds zero to the address
; of the next node and takes it from there. Where only requests for ownership tell of locks (before
; Skylake), this is what their formula sees. The uops of a lock take a handful of cycles of the
; hundreds, so hardly a slot is lost in them.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 9                            ; far enough apart for no prefetcher to pair them
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.lock_miss, "locked additions in memory"
    ITERATIONS  150
    ARENA       4096 + 4194304
    LEAF        tma_lock_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * memory_latency * 0.6, n * (memory_latency * 1.6 + 30)
    EXPECT  tma_backend_bound,              0.9,            1
    EXPECT  tma_memory_bound,               0.8,            1
PREPARE
    lea   r9, [rsi + FIRST_NODE]
    sub   r8, FIRST_NODE
    RING_SIZE r8, NODE_SHIFT
    RING_OF_POINTERS
    mov   [rsi], rax
    ret
RESET                                       ; flushes the n nodes ahead without reading them
    lea   r9, [rsi + FIRST_NODE]
    sub   r8, FIRST_NODE
    RING_SIZE r8, NODE_SHIFT
    mov   rdx, [rsi]
    sub   rdx, r9
    shr   rdx, NODE_SHIFT
.flush:
    NODE_ADDRESS rax, rdx
    clflush [rax]
    RING_NEXT rdx
    dec   rdi
    jnz   .flush
    mfence
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
