; Hypothesis: one branch an iteration is mispredicted half of the time. It goes by the top bit of a linear
; congruential generator modulo 2^64, which has no history worth learning. Both ways behind it are alike, so
; distances are the same on both. The generator waits for no NOT, so the branch is executed
; and the front end set right long before the branch retires: the loop goes on retiring one instruction a
; cycle, and a distance in it is a time. A conditional branch that leads back would be mispredicted now and
; then because of what the tosses leave in the history; one that is never taken until it leaves the loop is not.

%include "kernels/kernel.inc"

KERNEL skid.mispredict, "one mispredicted branch among 480 instructions"
    ITERATIONS  30
    ARENA       64
    CAUSE   .toss, steady, BR_MISP_RETIRED.ALL_BRANCHES
    EXPECT  INST_RETIRED.ANY,               n * 480,        n * 480
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 4,          n * 4
    ; Of 30 tosses 15, with a standard deviation of 2.7; four of these on either side.
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 0.13,       n * 0.87
    ; Of a Pentium 4's refill, 24 cycles and more, a part shows. Distances in time are given only where the loop
    ; keeps its pace within 2 %, which the measurement of skid finds out by itself.
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 470,        n * (490 if width > 3 else 500)
PREPARE
    mov   rax, 0x2545f4914f6cdd1d
    mov   [rsi], rax
    ret
CODE
BLOCK .entry, 1
    mov   rax, [rsi]
    mov   r10, 6364136223846793005          ; Knuth's multiplier for 64 bits
    mov   r11, 1442695040888963407
    xor   ebx, ebx
BLOCK .loop, n
%rep 100
    not   rbx
%endrep
    imul  rax, r10
    add   rax, r11
.toss:
    js    .heads
BLOCK .tails, 0 - 1                         ; chance decides
%rep 15
    not   rbx
%endrep
    jmp   .on
BLOCK .heads, 0 - 1
%rep 15
    not   rbx
%endrep
    jmp   .on                               ; as the other way does, though it is the next instruction
BLOCK .on, n
%rep 180
    not   rbx
%endrep
    dec   rdi
%rep 89
    not   rbx
%endrep
    jz    .leave
BLOCK .back, n - 1
%rep 89
    not   rbx
%endrep
    jmp   .loop
BLOCK .leave, 1
    mov   [rsi], rax                        ; the next window goes on: no sequence is learned by heart
    ret
ENDKERNEL
