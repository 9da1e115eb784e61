; Hypothesis: two cores write to the same few lines, each to words of its own. Nothing is passed from
; one to the other, and yet every store has to fetch its line from the other core's cache, where
; it is modified. The store buffer fills behind it.

%include "kernels/kernel.inc"

LINES equ 8
LINE  equ 1024                              ; too far apart for prefetchers to pair them

KERNEL be.mem.false_sharing, "stores to lines that another core stores to"
    ITERATIONS  400
    ARENA       8192
    PAGES       4K
    LEAF        tma_false_sharing
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 8,          n * 8
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
    EXPECT  tma_store_bound,                0.4,            1
PREPARE
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    mov   qword [rsi + rax + 8], 0
    add   eax, LINE
    cmp   eax, LINES * LINE
    jb    .clear
    ret
PARTNER
.again:
%assign line 0
%rep LINES
    mov   [rsi + line * LINE + 8], rdi
%assign line line + 1
%endrep
    dec   rdi
    jnz   .again
    ret
CODE
    align 32
.loop:
%assign line 0
%rep LINES
    mov   [rsi + line * LINE], rdi
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
