; Hypothesis: an iteration is a hundred parts, and the dose is the number of parts that are scans of
; sixteen bytes for a byte that is not there: microcode from the sequencer. The other parts are NOPs
; that take about as long. Neither waits for anything, so the share of the slots in which microcode
; retires rises in a straight line with the dose.

%include "kernels/kernel.inc"

PARTS equ 100
BYTES equ 16

KERNEL mix.ret.ms, "microcode among NOPs, by dose"
    ITERATIONS  2
    ARENA       4096
    PAGES       4K
    LEAF        tma_microcode_sequencer | tma_heavy_operations
    LEVEL       3
    DOSES       11
    EXPECT  INST_RETIRED.ANY,               n * (6608 - 61 * dose), n * (6608 - 61 * dose)
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 103,                n * 103
PREPARE
    mov   qword [rsi], 0
    mov   qword [rsi + 8], 0
    ret
CODE 13
    mov   ebx, PARTS
    sub   rbx, r9                           ; parts of NOPs
    mov   r10, rdi
    mov   eax, 1
.turn:
    mov   rdx, rbx
    test  rdx, rdx
    jz    .scans
.part:
%rep 64
    db    0x0f, 0x1f, 0x00                  ; NOP of 3 bytes
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
