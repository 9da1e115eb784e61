; Hypothesis: one line on each of twice as many 4 KiB pages as the first-level data TLB holds, far fewer
; than the second level holds. Every store hits L1, since its line has a set of its own, but its
; translation comes from the second level. A chain of multiplications keeps the stores apart: their
; formula counts cycles for each, whether anything waits for it or not.

%include "kernels/kernel.inc"

FIRST equ 4096                              ; [arena] keeps the number of the next page
STEP  equ 37                                ; pages from one store to the next: odd, so all are reached

KERNEL be.mem.stlb_hit_store, "stores to more pages than the first-level TLB holds"
    ITERATIONS  300
    ARENA       4096 + dtlb_entries * 2 * 4096
    PAGES       4K
    LEAF        tma_store_stlb_hit | tma_dtlb_store
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 14,         n * 14
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n,              n
    EXPECT  DTLB_STORE_MISSES.STLB_HIT,     n * 0.9,        n * 1.1
    EXPECT  DTLB_STORE_MISSES.WALK_ACTIVE | DTLB_STORE_MISSES.WALK_DURATION, 0, n * 0.5
    EXPECT  tma_backend_bound,              0.4,            1
    EXPECT  tma_memory_bound,               0,              1   ; no load waits, and no full buffer: level 2 cannot see it
    EXPECT  tma_dtlb_store,                 0.3,            1.0

%macro STORE_PAGES 0                        ; r9 = page, r10 = pages - 1, r11 = address of page 0
    sub   r8, FIRST
    bsr   rcx, r8
    mov   r10d, 1
    shl   r10, cl
    shr   r10, 12
    dec   r10
    lea   r11, [rsi + FIRST]
    mov   r9, [rsi]
%endmacro

%macro PAGE_LINE 0                          ; rax = the line of page r9, another on each of 64 pages
    mov   rax, r9
    mov   rcx, r9
    shl   rax, 12
    and   ecx, 63
    shl   ecx, 6
    add   rax, rcx
%endmacro

PREPARE
    mov   qword [rsi], 0
    STORE_PAGES
.touch:
    PAGE_LINE
    mov   qword [r11 + rax], 0
    inc   r9
    cmp   r9, r10
    jbe   .touch
    ret
CODE
    STORE_PAGES
    mov   edx, 1
    align 32
.loop:
    PAGE_LINE
    mov   [r11 + rax], rdi
    imul  r9, rdx
    imul  r9, rdx
    imul  r9, rdx
    add   r9, STEP
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
