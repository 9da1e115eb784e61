; Hypothesis: the line of each load was flushed before the window and lies in its own page, far from
; the line before it, so no prefetcher has fetched it: the load misses every cache. Each load
; returns the address of the next load, so no load finds its line already on the way.

%include "kernels/kernel.inc"

PAGE       equ 4096 + 64                    ; the lines lie in different sets
FIRST_NODE equ 4096                         ; [arena] keeps the node at which the next window begins
NODES      equ 256
STEP       equ 77                           ; odd: visits every node once

%macro NODE_ADDRESS 2                       ; rsi = arena
    imul  %1, %2, PAGE
    lea   %1, [rsi + FIRST_NODE + %1]
%endmacro

KERNEL exact.misses, "loads of flushed lines"
    LEVEL       3
    ITERATIONS  40
    ARENA       4096 + 256 * 4160 + 64
    MOST        256 / 2
    EXPECT  INST_RETIRED.ANY,               n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n,              n
    EXPECT  MEM_LOAD_RETIRED.L1_MISS | MEM_LOAD_UOPS_RETIRED.L1_MISS, n - 1, n + 1
    EXPECT  MEM_LOAD_RETIRED.L3_MISS | MEM_LOAD_UOPS_RETIRED.L3_MISS | \
                MEM_LOAD_UOPS_RETIRED.LLC_MISS, n - 1, n + 1
    EXPECT  MEM_LOAD_RETIRED.L2_HIT | MEM_LOAD_UOPS_RETIRED.L2_HIT, -1, 1
    EXPECT  MEM_LOAD_RETIRED.L3_HIT | MEM_LOAD_UOPS_RETIRED.L3_HIT | \
                MEM_LOAD_UOPS_RETIRED.LLC_HIT, -1, 1
    EXPECT  MEM_LOAD_RETIRED.FB_HIT | MEM_LOAD_UOPS_RETIRED.HIT_LFB, -1, 1
PREPARE
    xor   ecx, ecx
.link:
    NODE_ADDRESS rdx, rcx
    add   ecx, STEP
    and   ecx, NODES - 1
    NODE_ADDRESS rax, rcx
    mov   [rdx], rax
    test  ecx, ecx
    jnz   .link
    mov   [rsi], rax
    ret
RESET
    mov   rax, [rsi]
.flush:
    mov   rdx, [rax]
    clflush [rax]
    mov   rax, rdx
    dec   rdi
    jnz   .flush
    mfence
    ret
CODE
    mov   rax, [rsi]
.next:
    mov   rax, [rax]
    dec   rdi
    jnz   .next
    mov   [rsi], rax
    ret
ENDKERNEL
