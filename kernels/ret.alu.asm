; Hypothesis: additions that do not depend on each other retire as fast as they are issued. Every
; third instruction is a NOP: with five slots a cycle and additions only, four ports for arithmetic
; would be the bottleneck; two thirds of five slots are fewer than four. Sizes are as in ret.nop:
; twelve uops in 32 bytes, 60 uops an iteration. A register is used again eight additions later.

%include "kernels/kernel.inc"

KERNEL ret.alu, "independent additions"
    ITERATIONS  150
    LEAF        tma_other_light_ops | tma_light_operations
    EXPECT  INST_RETIRED.ANY,               n * 61,         n * 61
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 60 / width * 0.99,  n * 60 / width * 1.3
    EXPECT  tma_retiring,                   0.75,           1
    EXPECT  tma_light_operations,           0.75,           1
CODE 10
.loop:
%rep 4
    add   rax, r8
    add   rcx, r8
    db    0x66, 0x90                        ; NOP of 2 bytes
    add   rdx, r8
    add   rbx, r8
    db    0x66, 0x90
    add   rbp, r8
    add   r9, r8
    db    0x66, 0x90
    add   r10, r8
    add   r11, r8
    db    0x66, 0x90
%endrep
    add   eax, esi
    add   ecx, esi
    db    0x66, 0x90
    add   edx, esi
    add   ebx, esi
    db    0x66, 0x90
    add   ebp, esi
    add   eax, esi
    db    0x66, 0x90
    add   ecx, esi
    add   edx, esi
    dec   rdi
    jnz   .loop                             ; ends one byte before a 32-byte boundary
    ret
ENDKERNEL
