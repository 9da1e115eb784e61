; A program as programs are: an interpreter with one jump for all opcodes, which has to be predicted
; by the way that led to it. The program adds in memory, so a value goes through a store and a load in
; each turn.
;
; Hypothesis: one jump for all opcodes is no bad branch. It never goes where it went the last time,
; so who predicts that is wrong 52 times of 52. But where it goes follows from the two jumps before,
; in all but the first and the last turn of the loop: who goes by the way that led there, as Intel
; has since Pentium M (S. Gochman et al., Intel Technology Journal 7(2), 2003), is wrong for the odd
; ones, a dozen at most. On Haswell large interpreters do not suffer from it either (E. Rohou et al.,
; "Branch Prediction and the Performance of Interpreters - Don't Trust Folklore", CGO 2015). NetBurst
; predicts the last target. The instructions need their slots: 360, where a count and
; the branch behind it are one uop (11 pairs of 371).
;
; The program, where `a` and `c` are the interpreter's registers:
;
;       set 10              c = 10
;   loop:
;       load 0              a = memory[0]
;       add 1               a += memory[1]
;       mix                 a = 5 rol(a, 13)
;       store 0             memory[0] = a
;       repeat loop         while --c != 0
;       halt
;
; An iteration runs it once: set and halt once, the others 10 times each, 52 in all.

%include "kernels/kernel.inc"

PROGRAM equ 64                              ; the table of routines is before it in the arena
MEMORY  equ 128

%macro ROUTINE 1                            ; its address goes into the table
    lea   rax, [kernel_code.%1]
    mov   [rsi + routines * 8], rax
    %assign OPCODE_%1 routines
    %assign routines routines + 1
%endmacro

%macro PROGRAM_BYTES 1-*
%rep %0
    mov   byte [rsi + PROGRAM + program_length], %1
    %assign program_length program_length + 1
    %rotate 1
%endrep
%endmacro

KERNEL prog.interpreter, "an interpreter with one jump for all opcodes"
    LEVEL       3
    ITERATIONS  60
    ARENA       4096
    EXPECT  INST_RETIRED.ANY,               n * 371,        n * 371
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 114,        n * 114
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 105,        n * 105
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 165,        n * 165
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 10,         n * 10
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   -128,           n * (13 if width > 3 else 62)
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 360 / width * 0.95, \
                n * (371 / width * 2 + (13 if width > 3 else 62) * 32)
PREPARE
    %assign routines 0
    ROUTINE set
    ROUTINE load
    ROUTINE add
    ROUTINE mix
    ROUTINE store
    ROUTINE repeat
    ROUTINE halt
    %assign program_length 0
    PROGRAM_BYTES OPCODE_set, 10
    PROGRAM_BYTES OPCODE_load, 0
    PROGRAM_BYTES OPCODE_add, 1
    PROGRAM_BYTES OPCODE_mix
    PROGRAM_BYTES OPCODE_store, 0
    PROGRAM_BYTES OPCODE_repeat, 9          ; bytes back from the next opcode to `load`
    PROGRAM_BYTES OPCODE_halt
    mov   qword [rsi + MEMORY], 1
    mov   qword [rsi + MEMORY + 8], 7
    ret
CODE                                       ; rax = a, rdx = c, rbx = the next byte of the program
.program:
    lea   rbx, [rsi + PROGRAM]
.dispatch:                                  ; 52 times 3 instructions
    movzx ecx, byte [rbx]
    inc   rbx
    jmp   [rsi + rcx * 8]
    align 16, db 0xcc
.set:
    movzx edx, byte [rbx]
    inc   rbx
    jmp   .dispatch
    align 32, db 0xcc
.load:
    movzx ecx, byte [rbx]
    inc   rbx
    mov   rax, [rsi + rcx * 8 + MEMORY]
    jmp   .dispatch
    align 32, db 0xcc
.add:
    movzx ecx, byte [rbx]
    inc   rbx
    add   rax, [rsi + rcx * 8 + MEMORY]
    jmp   .dispatch
    align 32, db 0xcc
.mix:
    rol   rax, 13
    lea   rax, [rax + rax * 4]
    jmp   .dispatch
    align 32, db 0xcc
.store:
    movzx ecx, byte [rbx]
    inc   rbx
    mov   [rsi + rcx * 8 + MEMORY], rax
    jmp   .dispatch
    align 32, db 0xcc
.repeat:                                    ; 5 instructions, and `sub` 9 times
    movzx ecx, byte [rbx]
    inc   rbx
    dec   edx
    jz    .repeated
    sub   rbx, rcx
.repeated:
    jmp   .dispatch
    align 32, db 0xcc
.halt:
    dec   rdi
    jnz   .program
    ret
ENDKERNEL
