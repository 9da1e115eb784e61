; Hypothesis: with more instructions than samples no instruction's CPI is known; is a function's known all
; the same? Eight functions of 610 instructions are called one after the other, each of ten blocks of
; one kind of instruction: some wait for each other, some for nothing. The code is larger than the uop
; cache of most CPUs and smaller than the instruction cache. All instructions have two bytes, since the
; image holds them all.

%include "kernels/kernel.inc"

; Two instructions of each function.
%define BODY_chain      add eax, ecx
%define BODY_chain2     add eax, ecx
%define BODY_apart      add eax, ecx
%define BODY_apart2     add ebx, ecx
%define BODY_nothing    db 0x66, 0x90       ; NOP
%define BODY_nothing2   db 0x66, 0x90
%define BODY_products   mul ecx
%define BODY_products2  mul ecx
%define BODY_loads      mov eax, [rsi]
%define BODY_loads2     mov edx, [rsi]
%define BODY_stores     mov [rsi], eax
%define BODY_stores2    mov [rsi], edx
%define BODY_forwards   mov [rsi], eax
%define BODY_forwards2  mov eax, [rsi]
%define BODY_carries    adc eax, ecx
%define BODY_carries2   adc edx, ecx

%macro BODY 1
%rep 30
    BODY_%1
    BODY_%{1}2
%endrep
%endmacro

; Nine blocks that jump to the next one, and one that returns, each at a multiple of 128.
%macro FUNCTION 1
%assign block 0
%rep 9
    %assign next block + 1
    align 128, db 0xcc
BLOCK .%1 %+ block, n
    BODY  %1
    jmp   .%1 %+ next
    %assign block next
%endrep
    align 128, db 0xcc
BLOCK .%1 %+ block, n
    BODY  %1
    ret
%endmacro

KERNEL cpi.large, "4,897 instructions in 90 blocks of 9 functions"
    LEVEL       7                           ; by its name only: a profile has a line for each instruction
    ITERATIONS  4
    ARENA       64
    EXPECT  INST_RETIRED.ANY,               n * 4897,       n * 4897
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 89,         n * 89
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 89,         n * 89
    EXPECT  BR_INST_RETIRED.NEAR_CALL,      n * 8,          n * 8
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n * 8,          n * 8
PREPARE
    mov   qword [rsi], 1
    ret
CODE 4
BLOCK .entry, 1
    mov   ecx, 3
BLOCK .loop, n
    call  .chain0
BLOCK .after_chain, n
    inc   rbx
    call  .apart0
BLOCK .after_apart, n
    inc   rbx
    call  .nothing0
BLOCK .after_nothing, n
    inc   rbx
    call  .products0
BLOCK .after_products, n
    inc   rbx
    call  .loads0
BLOCK .after_loads, n
    inc   rbx
    call  .stores0
BLOCK .after_stores, n
    inc   rbx
    call  .forwards0
BLOCK .after_forwards, n
    inc   rbx
    call  .carries0
BLOCK .after_carries, n
    dec   rdi
    jnz   .loop                             ; taken, except the last time
BLOCK .leave, 1
    ret
    FUNCTION chain
    FUNCTION apart
    FUNCTION nothing
    FUNCTION products
    FUNCTION loads
    FUNCTION stores
    FUNCTION forwards
    FUNCTION carries
ENDKERNEL
