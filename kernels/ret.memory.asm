; Hypothesis: independent loads from one line of the L1 cache, two for every NOP: two of three
; retired instructions access memory, and the ports for loads never hold back as much as half of the
; slots.

%include "kernels/kernel.inc"

KERNEL ret.memory, "independent loads"
    ITERATIONS  100
    ARENA       4096
    PAGES       4K
    LEAF        tma_memory_operations
    LEVEL       3
    EXPECT  INST_RETIRED.ANY,               n * 50,         n * 50
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 32,         n * 32
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    EXPECT  tma_retiring,                   0.5,            1
    EXPECT  tma_light_operations,           0.5,            1
PREPARE
    mov   qword [rsi], 0
    ret
CODE 8
.loop:
%rep 8
    mov   rax, [rsi]
    mov   rcx, [rsi + 8]
    db    0x66, 0x90                        ; NOP of 2 bytes
    mov   rdx, [rsi + 16]
    mov   rbx, [rsi + 24]
    db    0x66, 0x90
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
