; Hypothesis: the other core writes a few lines over and over, and this core reads them. So a read
; finds its line modified in the other core's cache, and fetching it from there costs more than a
; hit in the last-level cache. The reads of an iteration depend on each other.

%include "kernels/kernel.inc"

LINES equ 8
LINE  equ 1024                           ; too far apart for prefetchers that fetch pairs

KERNEL be.mem.contested, "reads of lines that another core writes"
    ITERATIONS  12
    ARENA       8192
    PAGES       4K
    LEAF        tma_contested_accesses
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 18,                 n * 18
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,                      n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 8,                  n * 8
    EXPECT  tma_backend_bound,              0.6,                    1
    EXPECT  tma_memory_bound,               0.5,                    1
PREPARE
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    add   eax, LINE
    cmp   eax, LINES * LINE
    jb    .clear
    ret
PARTNER
.again:
%assign line 0
%rep LINES
    mov   qword [rsi + line * LINE], 0
%assign line line + 1
%endrep
    dec   rdi
    jnz   .again
    ret
CODE
    xor   eax, eax
.loop:
%assign line 0
%rep LINES
    and   eax, 0
    mov   rax, [rsi + rax + line * LINE]
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
