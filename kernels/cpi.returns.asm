; Hypothesis: does a return beyond the depth of the return stack cost a refill of its own? A function
; calls itself 48 deep, each time by one of two calls, so chance decides where each return goes. The
; stack of 16, 24 or 32 entries knows the innermost returns. What a CPU has instead of it for the
; others, a table of targets or entries that were overwritten, is right half of the time. The choices
; on the way down are mispredicted half of the time, too, but in a block of their own. They are 24 bits
; by chance and their complement: 24 of each kind, whatever the number is.

%include "kernels/kernel.inc"

DEPTH equ 48

KERNEL cpi.returns, "returns deeper than the return stack"
    ITERATIONS  50
    ARENA       64
    EXPECT  INST_RETIRED.ANY,               n * 400,        n * 400
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 196,        n * 196
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 124,        n * 124
    EXPECT  BR_INST_RETIRED.NEAR_CALL,      n * 49,         n * 49
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n * 49,         n * 49
    ; Half of 48 choices, of which the last 24 follow from the first, and half of 16 to 32 returns.
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 16,         n * 82
    EXPECT  BR_MISP_RETIRED.RET,            n * 5,          n * 34
PREPARE
    mov   rax, 0x2545f4914f6cdd1d
    mov   [rsi], rax
    ret
CODE 10
BLOCK .entry, 1
    mov   r10, [rsi]
    mov   r8, 6364136223846793005           ; Knuth's multiplier for 64 bits
    mov   r9, 1442695040888963407
BLOCK .number, n
    imul  r10, r8
    add   r10, r9
    mov   r11, r10
    shr   r11, 40
    mov   eax, r11d
    not   eax
    shl   rax, 24
    or    r11, rax
    mov   ecx, DEPTH
    call  .descend
BLOCK .back, n
    dec   rdi
    jnz   .number                           ; taken, except the last time
BLOCK .leave, 1
    mov   [rsi], r10
    ret
    align 32, db 0xcc
BLOCK .descend, n * 49
    dec   ecx
    js    .deepest
BLOCK .choose, n * 48
    shr   r11, 1
    jc    .second
BLOCK .first, n * 24
    call  .descend
BLOCK .first_back, n * 24
    add   rbx, r8
    inc   rdx
    ret
    align 16, db 0xcc
BLOCK .second, n * 24
    call  .descend
BLOCK .second_back, n * 24
    sub   rbx, r9
    rol   rbx, 3
    ret
    align 16, db 0xcc
BLOCK .deepest, n
    xor   rbx, r10
    ret
ENDKERNEL
