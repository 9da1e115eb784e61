; Hypothesis: the stores go to one line on each of twice as many 4 KiB pages as the first-level data
; TLB holds, far fewer than the second-level TLB holds. Every store hits L1, since each line has its
; own set, but its translation comes from the second-level TLB. A chain of multiplications puts time
; between the stores: their formula counts cycles for each store, whether anything waits for it or
; not. No load waits and no buffer is full, so level 2 does not see the bottleneck.

%include "kernels/kernel.inc"

FIRST equ 4096                              ; [arena] keeps the number of the next page
STEP  equ 37                                ; pages from one store to the next; odd: reaches all

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
    EXPECT  tma_memory_bound,               0,              1   ; level 2 does not see it
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

%macro PAGE_LINE 0                          ; rax = the line of page r9: the next on every page
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
