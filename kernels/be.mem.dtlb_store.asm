; Hypothesis: stores go to one line on each of more 4 KiB pages than the second-level TLB holds,
; page after page, so every store walks the page tables before its address is known. The lines fit
; into L2 and are spread over its sets. Nothing is loaded. No load waits and no buffer is full, so
; level 2 does not see the bottleneck.

%include "kernels/kernel.inc"

PAGE  equ 4096
FIRST equ 4096                              ; [arena] keeps the number of the next page
STEP  equ 37                                ; pages from one store to the next

KERNEL be.mem.dtlb_store, "stores to more pages than the TLBs hold"
    ITERATIONS  500
    ARENA       4096 + stlb_entries * 2 * 4096
    PAGES       4K
    LEAF        tma_store_stlb_miss | tma_dtlb_store
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 12,         n * 12
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n,              n
    EXPECT  DTLB_STORE_MISSES.WALK_COMPLETED, n * 0.9,      n * 1.1
    EXPECT  tma_backend_bound,              0.5,            1
    EXPECT  tma_memory_bound,               0,              1   ; level 2 does not see it
    EXPECT  tma_dtlb_store,                 0.5,            1.0

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

%macro PAGE_LINE 0                          ; rax = the line of page r9: the next in every 16 pages
    mov   rcx, r9
    mov   rax, r9
    shr   rcx, 4
    shl   rax, 12
    and   ecx, 63
    shl   ecx, 6
%endmacro

PREPARE
    mov   qword [rsi], 0
    STORE_PAGES
.touch:
    PAGE_LINE
    add   rax, rcx
    mov   qword [r11 + rax], 0
    inc   r9
    cmp   r9, r10
    jbe   .touch
    ret
CODE
    STORE_PAGES
    align 32
.loop:
    PAGE_LINE
    add   rax, rcx
    mov   [r11 + rax], rdi
    add   r9, STEP
    and   r9, r10
    dec   rdi
    jnz   .loop
    mov   [rsi], r9
    ret
ENDKERNEL
