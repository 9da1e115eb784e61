; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are scans of
; sixteen bytes for a byte that is not there: microcode from the sequencer. The other parts are
; chains of eleven multiplications of three cycles, which wait for one another, so they take 33
; cycles on cores of every width: about two for each byte of a scan. So the share of the slots in
; which microcode retires rises with the dose. Where a scan takes r times as long as a chain, a
; straight line fits it with an R squared of 0.98 for every r from 0.61 to 1.65 (mix.mem.dram):
; scans of 20 to 54 cycles. At least two cycles a byte are published; what a scan takes beyond them
; is not.

%include "kernels/kernel.inc"

PARTS equ 100
BYTES equ 16
CHAIN equ 11                                ; multiplications of a part

KERNEL mix.ret.ms, "microcode among multiplications, by dose"
    ITERATIONS  2
    ARENA       4096
    PAGES       4K
    LEAF        tma_microcode_sequencer | tma_heavy_operations
    LEVEL       3
    DOSES       11
    STRAIGHT    PARTS * 20, PARTS * 54
    EXPECT  INST_RETIRED.ANY,               n * (1308 - 8 * dose),  n * (1308 - 8 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,                n * 103
PREPARE
    mov   qword [rsi], 0
    mov   qword [rsi + 8], 0
    ret
CODE 13
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts of multiplications
    mov   r10, rdi
    mov   eax, 1
.turn:
    mov   rdx, rbx
    test  rdx, rdx
    jz    .scans
.part:
%rep CHAIN
    imul  r8d, r8d
%endrep
    dec   rdx
    jnz   .part
.scans:
    mov   rdx, r9
    test  rdx, rdx
    jz    .done
.scan:
    mov   rdi, rsi
    mov   ecx, BYTES
    repne scasb
    dec   rdx
    jnz   .scan
.done:
    dec   r10
    jnz   .turn
    ret
ENDKERNEL
