; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are sixteen
; stores across the end of a cache line; one store leaves the store buffer in two cycles, and two
; additions begin with each. The other parts are a chain of multiplications and additions in turn,
; four cycles of which two are empty, and two additions begin with each instruction of the chain
; too. So in all parts three slots in two cycles retire and every second cycle is empty, and
; formulas that weigh empty cycles agree with formulas that weigh slots. The stores that are left in
; the store buffer drain during the first multiplications: a few parts of a hundred. So the share of
; the slots lost to stores rises nearly in a straight line with the dose.

%include "kernels/kernel.inc"

STORES equ 16
LINE   equ 64
PARTS  equ 100

KERNEL mix.mem.store, "split stores among multiplications, by dose"
    ITERATIONS  2
    ARENA       4096
    PAGES       4K
    LEAF        tma_store_bound
    DOSES       11
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * (5008 - dose), n * (5008 - dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,        n * 103
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 16 * dose,  n * 16 * dose
PREPARE
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    add   eax, 8
    cmp   eax, (STORES + 1) * LINE
    jb    .clear
    ret
CODE 26
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts that multiply
.turn:
    mov   rcx, r9
    test  rcx, rcx
    jz    .multiply
.store:
%assign i 0
%rep STORES
    mov   [rsi + i * LINE + LINE - 4], rdi
    add   rbp, 1
%if i < STORES - 1                          ; with the last store, DEC and JNZ
    add   r12, 1
%endif
%assign i i + 1
%endrep
    dec   rcx
    jnz   .store
.multiply:
    mov   rcx, rbx
    test  rcx, rcx
    jz    .done
.part:
%rep STORES / 2
    imul  r10, rdx, 3
    add   r8, rdx
    add   r11, rdx
    lea   rdx, [r10 + 1]
    add   r8, r10
    add   r11, r10
%endrep
    dec   rcx
    jnz   .part
.done:
    dec   rdi
    jnz   .turn
    ret
ENDKERNEL
