; Hypothesis: a multiplication by memory is one slot and two uops, and so is a store; the port of
; the multiplier sets the pace. With three stores for every four multiplications, four uops of two
; slots begin in three cycles out of four, so the ports are busy while less than half of the slots
; are used. NetBurst, with three slots, takes nearly two cycles to send a store to L1 (measured:
; InstLatx64), so there the eighteen stores set the pace.

%include "kernels/kernel.inc"

KERNEL be.core.ports3, "four ports busy at a time"
    ITERATIONS  250
    ARENA       4096
    LEAF        tma_ports_utilized_3m
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 44,         n * 44
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 24,         n * 24
    EXPECT  MEM_INST_RETIRED.ALL_STORES | MEM_UOPS_RETIRED.ALL_STORES,    n * 18,         n * 18
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 24,         n * (24 if width > 3 else 36) * 1.1
    EXPECT  tma_backend_bound,              0.48,           0.85
    EXPECT  tma_resource_bound | tma_core_bound, 0.4,            0.85
PREPARE
    mov   qword [rsi], 1
    mov   qword [rsi + 256], 0
    ret
CODE
.loop:
%rep 6
    imul  eax, [rsi], 3
    mov   [rsi + 256], ebp
    imul  ecx, [rsi], 3
    mov   [rsi + 256], ebp
    imul  edx, [rsi], 3
    mov   [rsi + 256], ebp
    imul  ebx, [rsi], 3
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
