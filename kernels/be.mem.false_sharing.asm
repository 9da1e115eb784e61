; Hypothesis: two cores write to the same lines, each to words of its own. Nothing is passed from
; one to the other, and yet every store has to fetch its line from the other core's cache, where
; it is modified. The lines are more than there are fill buffers, so that a store finds its line gone
; again and has to wait for a buffer to ask for it; the store buffer fills behind it.

%include "kernels/kernel.inc"

LINES equ 16
LINE  equ 1024 + 64                         ; too far apart for prefetchers to pair them, in many sets

KERNEL be.mem.false_sharing, "stores to lines that another core stores to"
    ITERATIONS  300
    ARENA       20480
    PAGES       4K
    LEAF        tma_false_sharing
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 18,         n * 18
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 16,         n * 16
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
