; The instructions that hold interrupts back, each with what follows it: uint64_t code(const uint64_t *counter) is called with
; interrupts off and gives what [counter] is behind them.
bits 64
default rel
section .text

; SEEN name, instruction...: the instructions, then the look at the counter.
%macro SEEN 2-*
global check_shadow_%1
check_shadow_%1:
    mov esi, ss
%rotate 1
%rep %0 - 1
    %1
%rotate 1
%endrep
    mov rax, [rdi]
    cli
    ret
%endmacro

SEEN sti, sti
SEEN sti_nop, sti, nop
SEEN sti_rdtsc, sti, rdtsc
SEEN sti_pause, sti, pause
SEEN sti_sti, sti, sti
SEEN ss_rdtsc, sti, {mov ss, esi}, rdtsc

; An exception in place of the instruction: the look is the first instruction of its handler.
global check_shadow_div, check_shadow_div_handler
check_shadow_div:
    xor ecx, ecx
    sti
    div ecx
    cli
    ret
check_shadow_div_handler:
    mov rax, [rdi]
    add qword [rsp], 2
    iretq
section .note.GNU-stack noalloc noexec nowrite progbits
