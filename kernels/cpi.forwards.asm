; Hypothesis: a load takes its value from a store that has not reached L1 yet. Is the wait of one that
; cannot, since two stores wrote its bytes, the load's, or that of the instruction which needs the value?
; In an iteration eight loads take all bytes of a store, eight the upper half of one, and one load is
; blocked. Each store has the value of the load before it, so no wait overlaps another. A CPU that
; renames memory forwards the first eight at no cost.

%include "kernels/kernel.inc"

WHOLE equ 0                                 ; in the arena, each in a line of its own
HALF  equ 64
TWO   equ 128

KERNEL cpi.forwards, "loads that take what a store has, one of them blocked"
    ITERATIONS  100
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 81,         n * 81
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 9,          n * 9
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 8,          n * 8
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 17,         n * 17
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 18,         n * 18
    EXPECT  LD_BLOCKS.STORE_FORWARD,        n * 0.95,       n * 2
PREPARE
    mov   qword [rsi + WHOLE], 0
    mov   qword [rsi + HALF], 0
    mov   qword [rsi + TWO], 0
    ret
CODE 8
BLOCK .entry, 1
    mov   eax, 1
BLOCK .outer, n
    mov   ecx, 8
BLOCK .forward, n * 8
    mov   [rsi + WHOLE], rax
    mov   rdx, [rsi + WHOLE]
    rol   rdx, 32
    mov   [rsi + HALF], rdx
    mov   eax, [rsi + HALF + 4]
    inc   rbx
    dec   ecx
    jnz   .forward                          ; taken seven times in eight
BLOCK .blocked, n
    mov   [rsi + TWO], eax
    lea   r9, [rbx + 3]
    xor   r9, rbx
    mov   [rsi + TWO + 4], eax
    lea   r10, [r9 + rbx]
    mov   rax, [rsi + TWO]
    add   r10, r9
    or    r9, r10
    mov   r11, r10
    add   r11, 7
    xor   r11, r9
    add   eax, 1                            ; the first that needs the loaded value
    add   r10, r11
    sub   r9, r10
    dec   rdi
    jnz   .outer                            ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
