; Hypothesis: the other core takes a few lines out of every cache, reads them again and keeps them for a
; while; this one reads them after it. So a read finds its line unmodified in the other core's
; cache, and fetching it from there costs more than a hit of the last-level cache. The reads depend on
; each other.

%include "kernels/kernel.inc"

LINES equ 8
LINE  equ 1024                              ; too far apart for prefetchers to pair them
STAY  equ 60                                ; turns of ten cycles for which the partner keeps the lines

KERNEL be.mem.shared, "reads of lines that another core reads"
    ITERATIONS  24
    ARENA       8192
    PAGES       4K
    LEAF        tma_data_sharing
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 165,        n * 165
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 10,         n * 10
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 72,         n * 72
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
PREPARE
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    add   eax, LINE
    cmp   eax, LINES * LINE
    jb    .clear
    ret
PARTNER
    shr   rdi, 3
.again:
%assign line 0
%rep LINES
    clflush [rsi + line * LINE]
%assign line line + 1
%endrep
    mfence
%assign line 0
%rep LINES
    mov   rax, [rsi + line * LINE]
%assign line line + 1
%endrep
    mov   ecx, STAY
.stay:
%rep 9
    add   rax, rcx
%endrep
    dec   ecx
    jnz   .stay
    dec   rdi
    jnz   .again
    ret
CODE
    xor   eax, eax
.loop:
    mov   ecx, 9                            ; rounds an iteration, so that some find the lines gone
.round:
%assign line 0
%rep LINES
    and   eax, 0
    mov   rax, [rsi + rax + line * LINE]
%assign line line + 1
%endrep
    dec   ecx
    jnz   .round
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
