; Hypothesis: two chains of loads run at the same time, each over every other line of one and a half
; to three times the L2 cache, which overflows L2 and fits into L3. Two outstanding loads fill no
; queue, and no other core has any of the lines, so the bottleneck is the latency of L3. The second
; chain begins a few cycles after the first and, as both wait equally long, stays behind it. If both
; began together, a single cycle would decide whether their data arrive in the same cycle, and there
; would be two kinds of windows. Hits and cycles have the ranges of be.mem.l3, for its reasons.
; The chains are half of the ring apart, and either comes to a line half a ring after the other one.
; In PREPARE both walk, as they do in the windows: one that walked alone would leave the second half
; of the ring in L2, where the other one begins.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 7                            ; a node is a pair of lines
FIRST_NODE equ 4096                         ; [arena] keeps the places in the ring

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL be.mem.l3_latency, "two pointer chases in the L3 cache"
    ITERATIONS  150
    ARENA       4096 + l2_size * 3 if l3_size >= l2_size * 1.5 else NA
    LEAF        tma_l3_hit_latency
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 4,          n * 4
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 2,          n * 2
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  MEM_LOAD_RETIRED.L3_HIT,        n * 2 * 0.85,   n * 2 * 1.15
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * l3_latency * 0.7,   n * (l3_latency * 1.5 + 16)
    EXPECT  tma_backend_bound,              0.8,            1
    EXPECT  tma_memory_bound,               0.7,            1
    EXPECT  tma_l3_bound,                   0.6,            1
PREPARE
    RING_OF_ARENA
    mov   rdx, r10
    shr   rdx, 1
    NODE_ADDRESS rbx, rdx
    mov   [rsi], rax
    mov   [rsi + 8], rbx
    mov   rdi, r10
.turn:                                      ; both come back to where they began
    mov   rax, [rax]
    mov   rbx, [rbx]
    dec   rdi
    jnz   .turn
    ret
CODE
    mov   rax, [rsi]
    mov   ebx, eax                          ; makes the next load wait for this one
    and   ebx, 0
    mov   rbx, [rsi + rbx + 8]
    align 32
.next:
    mov   rax, [rax]
    mov   rbx, [rbx]
    dec   rdi
    jnz   .next
    mov   [rsi], rax
    mov   [rsi + 8], rbx
    ret
ENDKERNEL
