; Hypothesis: an iteration always has 500 instructions, 50 taken branches and 250 cycles, the length
; of a chain of additions through all iterations. Each of these numbers divides 1000: a sample every
; 1000 (or 10000) of a kind finds the loop at the same place each time, and the other places never.
; Records of the last 32 branches miss the same 18 of the 50. A `slow` block has ten additions of
; the chain, an instruction a cycle; the `fast` block behind it waits for nothing and retires as
; quickly as the CPU can.

%include "kernels/kernel.inc"

KERNEL cpi.aliased, "a loop whose length divides round periods"
    ITERATIONS  24
    EXPECT  INST_RETIRED.ANY,               n * 500,        n * 500
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 50,         n * 50
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 50,         n * 50
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 250 * 0.99, n * 250 * 1.02
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0

; The ten additions of a chain; each waits for the one before.
%define TEN_ADDITIONS times 10 add eax, edx

CODE
BLOCK .entry, 1
    mov   edx, 1
%assign part 0
%rep 24
    %assign next part + 1
BLOCK .slow %+ part, n
    TEN_ADDITIONS
    jmp   .fast %+ part
    align 32, db 0xcc
BLOCK .fast %+ part, n
    times 8 nop
    jmp   .slow %+ next
    align 32, db 0xcc
    %assign part next
%endrep
BLOCK .slow24, n
    TEN_ADDITIONS
    jmp   .fast24
    align 32, db 0xcc
BLOCK .fast24, n
    times 7 nop
    dec   rdi
    jnz   .slow0                            ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
