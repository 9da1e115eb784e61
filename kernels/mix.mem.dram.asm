; Hypothesis: an iteration is twenty parts, and a fifth of the dose is the number of parts that are
; loads from lines of memory that have just been flushed, each from the address that the load before
; it returned. The other parts are chains of multiplications that take 315 cycles. The chains wait
; for one another, so nothing overlaps, and the share of the slots lost to memory rises with the
; dose. Where a load takes r times as long as a chain, the part d of the loads takes the share
; d r / (1 - d + d r) of the time. At the eleven doses a straight line fits that with an R squared
; of 0.98 for every r from 0.61 to 1.65: loads of 193 to 519 cycles. How many cycles a load takes
; goes with the clock, since memory has one of its own: 90 ns are 108 cycles at 1.2 GHz.

%include "kernels/kernel.inc"
%include "kernels/ring.inc"

NODE_SHIFT equ 9                            ; too far apart for prefetchers that fetch pairs
FIRST_NODE equ 4096                         ; [arena] keeps the place in the ring
PARTS      equ 20
CHAIN      equ 105                          ; multiplications of a part: 315 cycles

%macro NODE_ADDRESS 2
    mov   %1, %2
    shl   %1, NODE_SHIFT
    add   %1, r9
%endmacro

KERNEL mix.mem.dram, "pointer chases in memory among multiplications, by dose"
    ITERATIONS  3
    ARENA       4096 + 4194304
    MOST        (arena - 4096) / 512 / 20 / 2
    LEAF        tma_memory_bound
    DOSES       11
    STRAIGHT    20 * 193, 20 * 519
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * (2311 - 112 * dose / 5), n * (2311 - 112 * dose / 5)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * (103 - 4 * dose / 5), n * (103 - 4 * dose / 5)
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * dose / 5,   n * dose / 5

%macro LOADS 0                              ; r15 = loads of an iteration: a fifth of the dose
    mov   rax, r9
    xor   edx, edx
    mov   ecx, 100 / PARTS
    div   rcx
    mov   r15, rax
%endmacro

PREPARE
    RING_OF_ARENA
    mov   [rsi], rax
    ret
RESET                                       ; flushes the next nodes without reading them
    LOADS
    imul  rdi, r15
    RING_IN_ARENA
    mov   rdx, [rsi]
    sub   rdx, r9
    shr   rdx, NODE_SHIFT
    test  rdi, rdi
    jz    .flushed
.flush:
    NODE_ADDRESS rax, rdx
    clflush [rax]
    RING_NEXT rdx
    dec   rdi
    jnz   .flush
.flushed:
    mfence
    ret
CODE 8
    LOADS
    mov   rax, [rsi]
    mov   r8d, 1
    mov   ebx, PARTS
    sub   rbx, r15                          ; parts that multiply
.turn:
    mov   rcx, r15
    test  rcx, rcx
    jz    .add
.chase:
    mov   rax, [rax]
    dec   rcx
    jnz   .chase
.add:
    mov   rdx, rax
    imul  rcx, rbx, 5
    test  rcx, rcx
    jz    .done
.part:
%rep CHAIN / 5
    imul  rdx, r8
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
