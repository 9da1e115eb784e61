; Hypothesis: an access of eight bytes that begins at byte 60 of a line crosses into the next line,
; every time. Loads and stores use different lines, half a page apart, and a chain of additions
; gives each pair the time that it needs.

%include "kernels/kernel.inc"

KERNEL exact.split, "loads and stores that cross a line"
    LEVEL       3
    ITERATIONS  60
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 66,         n * 66
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.ALL_STORES | MEM_UOPS_RETIRED.ALL_STORES, n * 8, n * 8
    EXPECT  MEM_INST_RETIRED.SPLIT_LOADS,   n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.SPLIT_STORES | MEM_UOPS_RETIRED.SPLIT_STORES, n * 8, n * 8
    EXPECT  MEM_INST_RETIRED.LOCK_LOADS,    0,              0
PREPARE
%assign line 0
%rep 32
    mov   qword [rsi + line * 64], 0
    mov   qword [rsi + 2048 + line * 64], 0
%assign line line + 1
%endrep
    ret
CODE 3
.loop:
%assign line 0
%rep 8
    mov   rax, [rsi + line * 128 + 60]
    mov   [rsi + 2048 + line * 128 + 60], rdx
%rep 6
    add   rcx, r10
%endrep
%assign line line + 1
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
