; Hypothesis: where as many instructions retire in a cycle as the CPU can, does a block cost what its
; instructions are? Blocks of 3 to 21 instructions, none of them a multiple of 4 or 6, follow each
; other: a group that retires begins and ends anywhere. The chains of additions, six beside each other,
; wait for less than the width; NOPs between them need no port, and a comparison fuses with its branch.

%include "kernels/kernel.inc"

; %1 instructions, two of three an addition of a chain.
%macro WIDE 1
    %rep %1
    %if turn == 2 || turn == 5 || turn == 8
    db    0x66, 0x90                        ; NOP of 2 bytes
    %elif turn == 0
    add   eax, esi
    %elif turn == 1
    add   ebx, esi
    %elif turn == 3
    add   ecx, esi
    %elif turn == 4
    add   edx, esi
    %elif turn == 6
    add   r8d, esi
    %else
    add   r9d, esi
    %endif
    %assign turn (turn + 1) % 9
    %endrep
%endmacro

; A block of %2 instructions, of which the last two are a branch that is never taken.
%macro WIDE_BLOCK 2
BLOCK %1, n
    WIDE  %2 - 2
    test  edi, edi
    js    .leave                            ; not taken: n is small
%endmacro

KERNEL cpi.wide, "blocks of every length that retire at full width"
    ITERATIONS  200
    EXPECT  INST_RETIRED.ANY,               n * 108,        n * 108
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 10,         n * 10
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n,              n
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    ; Ten pairs fuse where a CPU fuses them.
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 98 / width * 0.95,      n * 108 / width * 1.6
%assign turn 0
CODE 19
BLOCK .entry, 1
    mov   esi, 1
    WIDE_BLOCK .of11, 11
    WIDE_BLOCK .of3, 3
    WIDE_BLOCK .of19, 19
    WIDE_BLOCK .of7, 7
    WIDE_BLOCK .of17, 17
    WIDE_BLOCK .of3_again, 3
    WIDE_BLOCK .of13, 13
    WIDE_BLOCK .of9, 9
    WIDE_BLOCK .of5, 5
BLOCK .of21, n
    WIDE  19
    dec   rdi
    jnz   .of11                             ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
