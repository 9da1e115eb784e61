; Hypothesis: a compare-and-exchange of registers is five uops, one more than a decoder makes. So
; the front end switches to the microcode sequencer for it and back for the next instruction, and
; loses about two cycles each time. XOR makes each exchange independent of the one before. There is
; one exchange in 16 bytes: its uops take a whole line of the uop cache, and more exchanges in a
; window of the uop cache would not fit.

%include "kernels/kernel.inc"

KERNEL fe.ms.switches, "one short microcoded instruction after another"
    ITERATIONS  150
    LEAF        tma_ms_switches
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 26,         n * 26
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  IDQ.MS_SWITCHES,                n * 7.5,        n * 8.5
    EXPECT  tma_frontend_bound,             0.35,           0.9
CODE
    align 64
.loop:
%macro EXCHANGE 1
    xor   eax, eax
    cmpxchg %1, rdx
    db    0x66, 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0     ; NOP of 10 bytes
%endmacro
    EXCHANGE rcx
    EXCHANGE rbx
    EXCHANGE rbp
    EXCHANGE r8
    EXCHANGE r9
    EXCHANGE r10
    EXCHANGE r11
    EXCHANGE rsi
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
