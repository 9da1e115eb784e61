; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are
; dependent loads from the L2 cache. The other parts are chains of multiplications that take about
; as long. The loads wait for the multiplications and the multiplications for the loads, so nothing
; overlaps, and the share of the slots lost to L2 rises in a straight line with the dose. Most
; cycles of either chain are empty, so formulas that weigh cycles agree with the slots.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 6                            ; a node is a line
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring
PARTS      equ 100

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL mix.mem.l2, "pointer chases in the L2 cache among multiplications, by dose"
    LEVEL       3
    ITERATIONS  6
    ARENA       4096 + l2_size / 2
    LEAF        tma_memory_bound
    DOSES       11
    EXPECT  INST_RETIRED.ANY,               n * (711 - 4 * dose), n * (711 - 4 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,        n * 103
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * dose,       n * dose
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE 4
    mov   rax, [rsi]
    mov   r10d, 1
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts that multiply
.turn:
    mov   rcx, r9
    test  rcx, rcx
    jz    .multiply
.chase:
    mov   rax, [rax]
    dec   rcx
    jnz   .chase
.multiply:
    mov   rdx, rax
    mov   rcx, rbx
    test  rcx, rcx
    jz    .done
.part:
%rep 5
    imul  rdx, r10
%endrep
    dec   rcx
    jnz   .part
.done:
    and   rdx, 0
    add   rax, rdx
    dec   rdi
    jnz   .turn
    mov   [rsi], rax
    ret
ENDKERNEL
