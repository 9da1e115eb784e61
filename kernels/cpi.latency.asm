; Hypothesis: one division takes most of the time of an iteration, and is one of its 32
; instructions. The next division waits for it; the other instructions wait for nothing, so they
; retire behind it a group at a time. A method that misses the division's address by one instruction
; gives its cycles to an addition.

%include "kernels/kernel.inc"

KERNEL cpi.latency, "one division among cheap instructions"
    ITERATIONS  200
    EXPECT  INST_RETIRED.ANY,               n * 32,         n * 32
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
CODE
BLOCK .entry, 1
    mov   eax, 1000000007
    mov   ecx, 12345
BLOCK .before, n
%rep 4
    add   rbx, rcx
    xor   r10, rcx
    lea   r11, [rcx + 3]
%endrep
    jmp   .long
    align 16, db 0xcc
BLOCK .long, n
    and   eax, 0                            ; the same dividend each time, and yet it waits
    add   eax, 1000000007
    xor   edx, edx
    div   ecx
    jmp   .after
    align 16, db 0xcc
BLOCK .after, n
%rep 4
    sub   rbx, rcx
    inc   r10
    mov   r9, rcx
%endrep
    dec   rdi
    jnz   .before                           ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
