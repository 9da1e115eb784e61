; Hypothesis: a sample's address tells how the core takes an interrupt (doc/sampling.md, "How silicon takes an
; interrupt"). Three places of the loop hold up all that comes behind them, each in another way: a division, the oldest
; instruction for long; a branch that is mispredicted half of the time, behind which nothing is there until the right
; way comes; and fences, of which some let nothing in behind them. Each stands among cheap instructions, so that the
; cycles of the neighbours are none of their own. The branch is decided as in cpi.coins; a fence before it sees to it
; that it waits for nothing older.

%include "kernels/kernel.inc"
%include "kernels/coins.inc"

KERNEL cpi.when, "what holds up, among cheap instructions"
    ITERATIONS  15
    ARENA       64
    LEVEL       7
    EXPECT  INST_RETIRED.ANY,               n * 1131,       n * 1131
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 161,        n * 161
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 128,        n * 128
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 16,         n * 48
PREPARE
    COINS_PREPARE
    ret
CODE 12
BLOCK .entry, 1
    COINS_BEGIN
    mov   ebp, 12345
BLOCK .number, n
    COINS_TOSS
    mov   ecx, 64
BLOCK .toss, n * 64
    shr   r11, 1
    jnc   .tails                            ; the branch
BLOCK .heads, n * 32
    add   rbx, rcx
    xor   rbx, 3
    jmp   .on
BLOCK .tails, n * 32
    sub   rbx, rcx
    xor   rbx, 5
BLOCK .on, n * 64
    mov   eax, 1000000007
    xor   edx, edx
    div   ebp                               ; the division
    add   r12, 3
    xor   r13, r12
    mfence                                  ; a fence
    add   r14, 7
    xor   r15, r14
    lfence                                  ; the other one
    add   r12, 9
    xor   r13, 5
    dec   ecx
    jnz   .toss                             ; taken 63 times
BLOCK .again, n
    dec   rdi
    jnz   .number                           ; taken, except the last time
BLOCK .leave, 1
    mov   [rsi], r10
    ret
ENDKERNEL
