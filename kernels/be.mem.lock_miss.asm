; Hypothesis: a locked addition asks for its line with ownership, and nothing younger is loaded before
; it has it. The lines are those of a ring larger than the L2 cache, in an order that no prefetcher
; follows, so every lock waits for L3, one after the other: each adds zero to the address of the next
; node and takes it from there. Where only requests for ownership tell of locks (before Skylake), this
; is what their formula sees.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 7                            ; a node is a pair of lines
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.lock_miss, "locked additions in the L3 cache"
    ITERATIONS  800
    ARENA       4096 + l2_size * 3
    LEAF        tma_lock_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    n,              n
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.5,            1
PREPARE
    lea   r9, [rsi + FIRST_NODE]
    sub   r8, FIRST_NODE
    RING_SIZE r8, NODE_SHIFT
    RING_OF_POINTERS
    RING_TURN
    mov   [rsi], rax
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
