; Hypothesis: an iteration always has 100 instructions, 20 taken branches and 50 cycles, the length
; of a chain of additions through all iterations. Each of these numbers divides 1000: a sample every
; 1000 (or 10000) of a kind finds the loop at the same place each time, and the other places never.
; A `slow` block has five additions of the chain, an instruction a cycle; the `fast` block behind it
; waits for nothing and retires as quickly as the CPU can. The loop is no longer than that because
; its 50 cycles are 50 places to be told apart: with 100,000 random samples chance alone makes each
; of them 1.8 % wrong on average.

%include "kernels/kernel.inc"

KERNEL cpi.aliased, "a loop whose length divides round periods"
    ITERATIONS  120
    EXPECT  INST_RETIRED.ANY,               n * 100,        n * 100
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 20,         n * 20
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 20,         n * 20
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 50 * 0.99,  n * 50 * 1.02
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0

; Five additions of a chain; each waits for the one before.
%define FIVE_ADDITIONS times 5 add eax, edx

CODE
BLOCK .entry, 1
    mov   edx, 1
%assign part 0
%rep 9
    %assign next part + 1
BLOCK .slow %+ part, n
    FIVE_ADDITIONS
    jmp   .fast %+ part
    align 32, db 0xcc
BLOCK .fast %+ part, n
    times 3 nop
    jmp   .slow %+ next
    align 32, db 0xcc
    %assign part next
%endrep
BLOCK .slow9, n
    FIVE_ADDITIONS
    jmp   .fast9
    align 32, db 0xcc
BLOCK .fast9, n
    times 2 nop
    dec   rdi
    jnz   .slow0                            ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
