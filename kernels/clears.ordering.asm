; Hypothesis: loads are executed out of order but must appear in order. When a load has its value
; and still waits for older loads, and another core writes to its line meanwhile, the load must be
; executed again: the machine is cleared from that load on. Here the loads wait for a pointer chase
; through lines of L2, and the partner writes to the same few lines over and over, so that it often
; takes away a line while a load of it waits. Each clear throws away at most what the machine holds,
; and the waits between the clears are longer than that; so of level 1 this kernel expects only a
; share of bad speculation. The waits are for memory, so formulas that weigh cycles separate memory
; from the core as the slots do. How often the partner comes in time may differ from window to
; window, so MACHINE_CLEARS.COUNT is not compared with a number: it divides the clears by
; self-modifying code, of which there are none.

%include "kernels/kernel.inc"
%include "kernels/l2_hit.inc"

LINES          equ 8
LINE           equ 1024                     ; too far apart for prefetchers that fetch pairs
CHASE          equ 18
RING           equ 8192                     ; offset of the chase's ring

KERNEL clears.ordering, "loads of lines that another core writes meanwhile"
    ITERATIONS  60
    ARENA       8192 + 65536
    PAGES       4K
    LEAF        tma_machine_clears
    LEVEL       2
    EXPECT  INST_RETIRED.ANY,               n * 28,         n * 28
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 26,         n * 26
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
    lea   r9, [rsi + RING]
    L2_HIT_RING r9
    ret
PARTNER any
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
    lea   rcx, [rsi + RING]
    align 32
.loop:
%rep CHASE
    mov   rcx, [rcx]
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
