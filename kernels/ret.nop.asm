; Hypothesis: NOPs need no port and no operand, so only the width of the machine limits them, and
; nearly every slot retires. Twelve NOPs fill 32 bytes: two full lines in a uop cache with six uops
; a line, so a five-wide machine is fed as well as a four-wide one. The loop has 60 uops (DEC and
; JNZ are one), which four, five and six divide.
; Beside another thread: NOPs wait for no operand and no port, so what the thread does not retire of
; its share of the slots is lost to the front end.

%include "kernels/kernel.inc"

KERNEL ret.nop, "NOPs at the full width"
    ITERATIONS  150
    LEAF        tma_nop_instructions | tma_light_operations
    EXPECT  INST_RETIRED.ANY,               n * 61,         n * 61
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 60 / width * 0.99,  n * 60 / width * 1.15
    EXPECT  tma_retiring,                   0.85,           1
    EXPECT  tma_light_operations,           0.85,           1
    BESIDE  n * 60, n * 61, tma_bad_speculation, tma_backend_bound
CODE 10
.loop:
%rep 16
    db 0x0f, 0x1f, 0x00                     ; NOP of 3 bytes
    db 0x0f, 0x1f, 0x00
    db 0x66, 0x90                           ; NOP of 2 bytes
%endrep
%rep 11
    db 0x66, 0x90
%endrep
    dec   rdi
    jnz   .loop                             ; ends one byte before a 32-byte boundary
    ret
ENDKERNEL
