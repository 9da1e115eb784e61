; Hypothesis: an iteration is ten parts, and a tenth of the dose is the number of parts that are ten
; loads with an index register from L1, each from the address that the load before it returned. The
; other parts are a chain of multiplications that takes as long. The chains wait for one another, so
; nothing overlaps, and the share of the slots lost to L1 rises in a straight line with the dose.
; Multiplications, because then most cycles of either chain are empty, and formulas that weigh
; cycles agree with the slots.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 6                            ; a node is a line
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring
PARTS      equ 10

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL mix.mem.l1, "pointer chases in L1 among multiplications, by dose"
    ITERATIONS  16
    ARENA       4096 + l1d_size / 4
    LEAF        tma_l1_bound
    DOSES       11
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * (201 - 7 * dose / 10), n * (201 - 7 * dose / 10)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 13,         n * 13
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * dose,       n * dose
PREPARE
    RING_OF_ARENA
    RING_TURN
    mov   [rsi], rax
    ret
CODE 1
    mov   rax, r9                           ; r9 = parts that load: a tenth of the dose
    xor   edx, edx
    mov   ecx, 100 / PARTS
    div   rcx
    mov   r9, rax
    mov   rax, [rsi]
    xor   r8d, r8d
    mov   r10d, 1
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts that multiply
.turn:
    mov   rcx, r9
    test  rcx, rcx
    jz    .multiply
.chase:
%rep 10
    mov   rax, [rax + r8 * 8]
%endrep
    dec   rcx
    jnz   .chase
.multiply:
    mov   rdx, rax
    mov   rcx, rbx
    test  rcx, rcx
    jz    .done
.part:
%rep 17
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
