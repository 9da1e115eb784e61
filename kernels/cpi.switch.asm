; Hypothesis: is a jump through a table mispredicted seven times in eight when chance chooses one of
; eight routines, and is the refill behind it the jump's, not the routine's? A number has ten digits
; from 0 to 7 by chance; seven more numbers follow, each digit of which differs from the first by
; exclusive or with 1 to 7. So each routine runs 10 times in an iteration, whatever the number is.
; The numbers are the upper halves of a linear congruential generator's, which goes on from window to
; window, so that no history is worth learning.

%include "kernels/kernel.inc"

DIGITS   equ 10
NUMBERS  equ 8
ONES     equ 1111111111o                    ; added to a mask, it changes each digit's by 1
TABLE    equ 64                             ; [arena] keeps the number; the table of routines follows

%macro ROUTINE 1
    lea   rax, [kernel_code.%1]
    mov   [rsi + TABLE + routine * 8], rax
    %assign routine routine + 1
%endmacro

KERNEL cpi.switch, "a jump to one of eight routines that chance decides"
    ITERATIONS  32
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 735,        n * 735
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 239,        n * 239
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 230,        n * 230
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 80,         n * 80
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
    ; 70 of 80 jumps. The other numbers follow from the first, so a predictor that saw that could know
    ; them; and the ends of eight short loops behind chance may be mispredicted, too.
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   n * 48,         n * 90
PREPARE
    mov   rax, 0x2545f4914f6cdd1d
    mov   [rsi], rax
    %assign routine 0
    ROUTINE add
    ROUTINE subtract
    ROUTINE rotate
    ROUTINE shift
    ROUTINE invert
    ROUTINE multiply
    ROUTINE mix
    ROUTINE double
    ret
CODE
BLOCK .entry, 1
    mov   r10, [rsi]
    mov   r8, 6364136223846793005           ; Knuth's multiplier for 64 bits
    mov   r9, 1442695040888963407
BLOCK .draw, n
    imul  r10, r8
    add   r10, r9
    mov   r11, r10
    shr   r11, 32
    xor   edx, edx                          ; the mask
BLOCK .number, n * 8
    mov   eax, edx
    xor   eax, r11d
    mov   ecx, DIGITS
BLOCK .digit, n * 80
    mov   ebp, eax
    and   ebp, 7
    shr   eax, 3
.switch:
    jmp   [rsi + rbp * 8 + TABLE]
TARGETS .switch, .add, .subtract, .rotate, .shift, .invert, .multiply, .mix, .double
    align 16, db 0xcc
BLOCK .add, n * 10
    add   rbx, rcx
    jmp   .next
    align 16, db 0xcc
BLOCK .subtract, n * 10
    sub   rbx, rcx
    xor   rbx, 5
    jmp   .next
    align 16, db 0xcc
BLOCK .rotate, n * 10
    rol   rbx, 3
    jmp   .next
    align 16, db 0xcc
BLOCK .shift, n * 10
    shr   rbx, 1
    inc   rbx
    jmp   .next
    align 16, db 0xcc
BLOCK .invert, n * 10
    not   rbx
    jmp   .next
    align 16, db 0xcc
BLOCK .multiply, n * 10
    imul  rbx, rcx
    or    rbx, 1
    jmp   .next
    align 16, db 0xcc
BLOCK .mix, n * 10
    lea   r12, [rbx + rcx]
    xor   rbx, r12
    rol   rbx, 9
    jmp   .next
    align 16, db 0xcc
BLOCK .double, n * 10
    lea   rbx, [rbx + rbx + 1]
BLOCK .next, n * 80
    dec   ecx
    jnz   .digit                            ; taken nine times in ten
BLOCK .next_number, n * 8
    add   edx, ONES
    cmp   edx, ONES * NUMBERS
    jne   .number                           ; taken seven times in eight
BLOCK .again, n
    dec   rdi
    jnz   .draw                             ; taken, except the last time
BLOCK .leave, 1
    mov   [rsi], r10
    ret
ENDKERNEL
