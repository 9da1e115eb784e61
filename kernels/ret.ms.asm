; Hypothesis: a repeated string scan is a microcode loop. It spends several uops on every byte, all
; of them from the microcode sequencer, which keeps up with the back end. So the slots retire, and
; they count as heavy operations, since five instructions are hundreds of uops. An E core's
; sequencer does not keep up, and its tree has microcode in the front end. The strings are long
; enough (128 bytes) that the one misprediction at the end of each does not matter. An instruction
; with a REP prefix counts once.

%include "kernels/kernel.inc"

BYTES   equ 128

KERNEL ret.ms, "a microcoded scan for a byte that is not there"
    ITERATIONS  40
    ARENA       4096
    LEAF        tma_cisc | tma_microcode_sequencer | tma_heavy_operations
    EXPECT  INST_RETIRED.ANY,               n * 5,          n * 5
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  IDQ.MS_UOPS / UOPS_ISSUED.ANY,  0.85,           1.05
    EXPECT  tma_heavy_operations,           0.4,            1
PREPARE
    xor   eax, eax
    mov   ecx, BYTES / 8
    mov   rdi, rsi
    rep   stosq
    ret
CODE
    mov   r9, rdi
    mov   eax, 1
.string:
    mov   rdi, rsi
    mov   ecx, BYTES
    repne scasb
    dec   r9
    jnz   .string
    ret
ENDKERNEL
