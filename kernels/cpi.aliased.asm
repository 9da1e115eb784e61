; Hypothesis: an iteration always has 200 instructions, 40 taken branches and 100 cycles, the length
; of a chain of additions through all iterations. Each of these numbers divides 1000: a sample every
; 1000 (or 10000) of a kind finds the loop at the same place each time, and the other places never.
; Records of the last 32 branches miss the same 8 of the 40. A `slow` block has five additions of
; the chain, an instruction a cycle; the `fast` block behind it waits for nothing and retires as
; quickly as the CPU can. The loop is no longer than that because its 100 cycles are 100 places to be
; told apart: with 100,000 random samples chance alone makes each of them 2.5 % wrong on average.

%include "kernels/kernel.inc"

KERNEL cpi.aliased, "a loop whose length divides round periods"
    ITERATIONS  60
    EXPECT  INST_RETIRED.ANY,               n * 200,        n * 200
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 40,         n * 40
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 40,         n * 40
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 100 * 0.99, n * 100 * 1.02
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0

; Five additions of a chain; each waits for the one before.
%define FIVE_ADDITIONS times 5 add eax, edx

CODE
BLOCK .entry, 1
    mov   edx, 1
%assign part 0
%rep 19
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
BLOCK .slow19, n
    FIVE_ADDITIONS
    jmp   .fast19
    align 32, db 0xcc
BLOCK .fast19, n
    times 2 nop
    dec   rdi
    jnz   .slow0                            ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
