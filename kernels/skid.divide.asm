; Hypothesis: a division follows the one load of the loop. Both can begin only when the NOT before them has
; ended, so a sample of loads finds the division waiting: an interrupt waits with it and blames what comes
; behind. Precise samples blame the load.

%include "kernels/kernel.inc"

KERNEL skid.divide, "one load with a division behind it"
    ITERATIONS  20
    ARENA       64
    CAUSE   .load, uneven, MEM_INST_RETIRED.ALL_LOADS | MEM_UOPS_RETIRED.ALL_LOADS | MEM_INST_RETIRED.LOADS
    EXPECT  INST_RETIRED.ANY,               n * 240,        n * 240
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS | MEM_UOPS_RETIRED.ALL_LOADS | MEM_INST_RETIRED.LOADS,   n,  n
PREPARE
    mov   dword [rsi], 12345
    ret
CODE
BLOCK .entry, 1
    xor   ebx, ebx
    mov   ecx, 12345
BLOCK .loop, n
    dec   rdi
%rep 100
    not   rbx
%endrep
    mov   eax, ebx
    and   eax, 0                            ; the same dividend each time, and yet it waits
    lea   eax, [rax + 1000000007]
    mov   edx, 0
.load:
    mov   r10d, [rsi]
    div   ecx
%rep 129
    not   rbx
%endrep
    inc   r11
    test  rdi, rdi
    lea   r11, [r11 + 1]                    ; TEST and JNZ do not fuse
    jnz   .loop
BLOCK .leave, 1
    ret
ENDKERNEL
