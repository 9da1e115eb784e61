; Hypothesis: loads are made out of order, but must look as if they were not. A load that has its value
; and waits for older instructions must be made again when another core writes to its line meanwhile:
; the machine is cleared from that load on. Here the loads wait for a chain of multiplications, and
; the partner writes to the same few lines over and over, one after the other, so that there is often one
; that it takes away while a load of it waits. What is thrown away each time is at most what the
; machine holds, and the waits in between are longer: so this kernel claims nothing about level 1. How often
; the partner comes in time differs from window to window, so two events are compared by what is none of it.

%include "kernels/kernel.inc"

LINES          equ 8
LINE           equ 1024                     ; too far apart for prefetchers to pair them
MULTIPLICATIONS equ 60

KERNEL clears.ordering, "loads of lines that another core writes meanwhile"
    ITERATIONS  60
    ARENA       8192
    PAGES       4K
    LEAF        tma_machine_clears
    LEVEL       2
    EXPECT  INST_RETIRED.ANY,               n * 70,         n * 70
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 8,          n * 8
    EXPECT  MACHINE_CLEARS.MEMORY_ORDERING, n * 0.1,        n * 8
    EXPECT  tma_bad_speculation,            0.03,           0.9
    EXPECT  MACHINE_CLEARS.SMC / MACHINE_CLEARS.COUNT, 0, 0.01
PREPARE
    xor   eax, eax
.clear:
    mov   qword [rsi + rax], 0
    add   eax, LINE
    cmp   eax, LINES * LINE
    jb    .clear
    ret
PARTNER
.again:
%assign line 0
%rep LINES
    mov   qword [rsi + line * LINE], 0
%assign line line + 1
%endrep
    dec   rdi
    jnz   .again
    ret
CODE
    mov   r10d, 1
    align 32
.loop:
%rep MULTIPLICATIONS
    imul  r9, r10
%endrep
%assign line 0
%rep LINES
    mov   rax, [rsi + line * LINE]
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
