; Hypothesis: a PEBS record names the instruction that caused the event. All fourteen instructions of
; the loop are known: three are taken branches, five are loads from known places, of which one misses
; L1 and hits L2. rdi tells the iteration, so a record also tells how many events came before it: no
; record can be lost without a gap.

%include "kernels/kernel.inc"
%include "kernels/causes.inc"
%include "kernels/l2_hit.inc"

RING    equ 4096                            ; [arena] keeps the place in the ring
PATTERN equ 0x5a17c0de0ddba115              ; in XMM7 throughout

KERNEL pebs.loads, "branches and loads at known addresses"
    ITERATIONS  500
    ARENA       4096 + 16 * 4096
    LEVEL       2
    EXPECT  INST_RETIRED.ANY,               n * 14,         n * 14
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 5,          n * 5
PREPARE
    lea   rbx, [rsi + RING]
    L2_HIT_RING rbx
    mov   [rsi], rbx
    ret
CODE 20
    mov   rax, [rsi]
    mov   rcx, PATTERN
    movq  xmm7, rcx
    xor   ebx, ebx
.loop:
    PLAIN
    add   ebx, 3
    LOADS 64, 72
    mov   rcx, [rsi + 64]
    PLAIN
    lea   rdx, [rcx + rbx]
    BRANCH .first
    jmp   .first
    align 16, db 0xcc
.first:
    LOADS_L2 RING, RING + L2_HIT_BYTES
    mov   rax, [rax]
    LOADS 128, 132
    mov   r9d, [rsi + 128]
    PLAIN
    xor   edx, r9d
    BRANCH .second
    jmp   .second
    align 16, db 0xcc
.second:
    LOADS 192, 193
    movzx r11d, byte [rsi + 192]
    PLAIN
    imul  rdx, rdx, 5
    LOADS 256, 264
    mov   r8, [rsi + 256]
    PLAIN counted
    dec   rdi
    PLAIN counted
    lea   r8, [r8 + r11]
    BRANCH .loop, counted
    jnz   .loop
    mov   [rsi], rax
    ret
ENDKERNEL
    CAUSES PATTERN
