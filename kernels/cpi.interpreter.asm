; Hypothesis: an interpreter spends its time in the jumps between its routines, each of which
; fetches the next opcode of a program in memory and jumps to its routine. The program is known, so
; it is known how often each routine runs, and each jump sees a sequence of its own. The program,
; where `a` and `c` are the interpreter's registers:
;
;       count 10            c = 10
;       set 1               a = 1
;   loop:
;       add                 a += c
;       multiply 3          a *= 3
;       store 2             memory[2] = a
;       add                 a += c
;       repeat loop         while --c != 0
;       store 3             memory[3] = a
;       halt
;
; An iteration runs it once: count, set and halt once, add 20 times, store 11 times, multiply and
; repeat 10 times each.

%include "kernels/kernel.inc"

TABLE_BYTES   equ 7 * 8                     ; of the addresses of the routines, in the arena
PROGRAM       equ 64                        ; where the program is in the arena
MEMORY        equ 128

%macro FETCH_AND_JUMP 1                     ; label of the jump
    movzx ecx, byte [rbx]
    inc   rbx
%1:
    jmp   [rsi + rcx * 8]
TARGETS %1, .count, .set, .add, .multiply, .store, .repeat, .halt
    align 16, db 0xcc
%endmacro

KERNEL cpi.interpreter, "a bytecode interpreter with a known program"
    ITERATIONS  40
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 301,        n * 301
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 65,         n * 65
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 56,         n * 56
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 141,        n * 141
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 11,         n * 11
PREPARE                                     ; writes the table, then the program
    %assign number 0
    %macro ROUTINE 1
    lea   rax, [kernel_code.%1]
    mov   [rsi + number * 8], rax
    %assign OPCODE_%1 number
    %assign number number + 1
    %endmacro
    ROUTINE count
    ROUTINE set
    ROUTINE add
    ROUTINE multiply
    ROUTINE store
    ROUTINE repeat
    ROUTINE halt
    %assign length 0
    %macro PROGRAM_BYTES 1-*
    %rep %0
    mov   byte [rsi + PROGRAM + length], %1
    %assign length length + 1
    %rotate 1
    %endrep
    %endmacro
    PROGRAM_BYTES OPCODE_count, 10
    PROGRAM_BYTES OPCODE_set, 1
    PROGRAM_BYTES OPCODE_add
    PROGRAM_BYTES OPCODE_multiply, 3
    PROGRAM_BYTES OPCODE_store, 2
    PROGRAM_BYTES OPCODE_add
    PROGRAM_BYTES OPCODE_repeat, 8          ; bytes back from the next opcode to the first `add`
    PROGRAM_BYTES OPCODE_store, 3
    PROGRAM_BYTES OPCODE_halt
    ret
CODE                                        ; rax = a, rdx = c, rbx = the next byte of the program
BLOCK .entry, 1
    xor   eax, eax
BLOCK .program, n
    lea   rbx, [rsi + PROGRAM]
    FETCH_AND_JUMP .first
BLOCK .count, n
    movzx edx, byte [rbx]
    inc   rbx
    FETCH_AND_JUMP .after_count
BLOCK .set, n
    movzx eax, byte [rbx]
    inc   rbx
    FETCH_AND_JUMP .after_set
BLOCK .add, n * 20
    add   rax, rdx
    FETCH_AND_JUMP .after_add
BLOCK .multiply, n * 10
    movzx ecx, byte [rbx]
    inc   rbx
    imul  rax, rcx
    FETCH_AND_JUMP .after_multiply
BLOCK .store, n * 11
    movzx ecx, byte [rbx]
    inc   rbx
    mov   [rsi + rcx * 8 + MEMORY], rax
    FETCH_AND_JUMP .after_store
BLOCK .repeat, n * 10
    movzx ecx, byte [rbx]
    inc   rbx
    dec   rdx
    jz    .repeated                         ; taken the last time of ten
BLOCK .back, n * 9
    sub   rbx, rcx
BLOCK .repeated, n * 10
    FETCH_AND_JUMP .after_repeat
BLOCK .halt, n
    dec   rdi
    jnz   .program                          ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
