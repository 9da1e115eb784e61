; Hypothesis: the other core flushes lines from every cache, reads them again and keeps them; then
; this core reads them. So a read finds its line unmodified in the other core's cache, and fetching
; it from there costs more than a hit in the last-level cache. The reads depend on each other.
; There are two sets of lines. This core notes when it has read a whole set. While it reads one set,
; the other core flushes and reads the other set, and finishes first, because it has all of its
; lines on the way from memory at the same time. So the lines are there when this core reads them.

%include "kernels/kernel.inc"

COUNT     equ 2                             ; sets
SET_BYTES equ 36864
LINES     equ 32                            ; in a set
LINE      equ 1024 + 64                     ; too far apart for prefetchers; in many sets
SEEN      equ 512                           ; the partner's copy of the note at the set's beginning
STAY      equ 5                             ; rounds of ten cycles between two looks

KERNEL be.mem.shared, "reads of lines that another core reads"
    ITERATIONS  6
    ARENA       73728
    PAGES       4K
    LEAF        tma_data_sharing
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 68,         n * 68
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 64,         n * 64
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 2,          n * 2
    EXPECT  tma_backend_bound,              0.6,            1
    EXPECT  tma_memory_bound,               0.4,            1
PREPARE                                     ; each line holds the address of the next, in a ring
    mov   rbx, rsi
    lea   rdx, [rsi + LINE]
    mov   eax, COUNT
.set:
    mov   qword [rbx], 0
    mov   qword [rbx + SEEN], 0
    lea   r9, [rbx + LINE]
    mov   ecx, LINES
.line:
    mov   [rdx], r9
    mov   rdx, r9
    add   r9, LINE
    dec   ecx
    jnz   .line
    add   rbx, SET_BYTES
    dec   eax
    jnz   .set
    lea   r9, [rsi + LINE]
    mov   [rdx], r9
    ret
PARTNER
.again:
    mov   rbx, rsi
    mov   r9d, COUNT
.set:
    mov   rax, [rbx]
    cmp   rax, [rbx + SEEN]
    je    .stay_away
    mov   [rbx + SEEN], rax
    lea   rdx, [rbx + LINE]
    mov   ecx, LINES
.flush:
    clflush [rdx]
    add   rdx, LINE
    dec   ecx
    jnz   .flush
    mfence
    mov   ecx, LINES
.read:
    sub   rdx, LINE
    mov   rax, [rdx]
    dec   ecx
    jnz   .read
.stay_away:
    add   rbx, SET_BYTES
    dec   r9d
    jnz   .set
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
    lea   rax, [rsi + LINE]
    align 32
.loop:
%assign set 0
%rep COUNT
%rep LINES
    mov   rax, [rax]
%endrep
    mov   [rsi + set * SET_BYTES], rdi
%assign set set + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
