; Hypothesis: two cores write to the same lines, each core to its own words in them. No data passes
; between the cores, and yet every store has to fetch its line from the other core's cache, where it
; is modified. The lines are several times as many as the fill buffers, so stores wait for a fill
; buffer, and the store buffer fills behind them. Each store comes with an LEA: a cycle in which a
; store is let through then begins three uops, and formulas that count cycles take it for a busy
; cycle.
; The other core takes all lines, then waits until it sees that this core has stored to all of them
; again. So each line goes to and fro once, however long that takes. Without the wait the two cores
; would settle into one of several rhythms by chance and stay in it.

%include "kernels/kernel.inc"

LINES equ 64
LINE  equ 1024 + 64                         ; too far apart for prefetchers; in many sets
STAY  equ 2                                 ; rounds of ten cycles between two looks
LOOKS equ 40                                ; at most: the measured core may do something else

KERNEL be.mem.false_sharing, "stores to lines that another core stores to"
    ITERATIONS  100
    ARENA       73728
    PAGES       4K
    LEAF        tma_false_sharing
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 130,        n * 130
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 64,         n * 64
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
    mov   r9, rdi
.again:
    mov   rbx, [rsi + (LINES - 1) * LINE]
%assign line 0
%rep LINES
    mov   [rsi + line * LINE + 8], rdi
%assign line line + 1
%endrep
    mfence
    mov   edx, LOOKS
.look:
    mov   ecx, STAY
.stay:
%rep 9
    add   rax, rcx
%endrep
    dec   ecx
    jnz   .stay
    cmp   rbx, [rsi + (LINES - 1) * LINE]
    jne   .next
    dec   edx
    jnz   .look
.next:
    dec   r9
    jnz   .again
    ret
CODE 4
.loop:
%assign line 0
%rep LINES
    lea   eax, [rdi]
    mov   [rsi + line * LINE], rdi
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
