; Code whose addresses breakpoints name.
bits 64
default rel
section .text

global check_breaks, break_1, break_2, break_last
check_breaks:                   ; RDI: 64 bytes
    xor eax, eax
break_1:
    inc eax
break_2:
    rdtsc                       ; one that the emulator does not run itself
    mov eax, 1
break_last:
    ret

; Each access, and behind it the address that the trap's frame has. RDI: 64 bytes, RSI: what to write.
%macro ACCESS 2+
global check_%1, check_%1_behind
check_%1:
    %2
check_%1_behind:
    nop
    ret
%endmacro
ACCESS store, mov [rdi], sil
ACCESS store_8, mov [rdi], rsi
ACCESS load, mov al, [rdi]
ACCESS load_popcnt, popcnt rax, [rdi]
ACCESS store_16, movups [rdi], xmm0
ACCESS store_special, movbe [rdi], rsi

; Accesses to a port. RDI: which; RSI: what string instructions read, or write to.
%macro PORT 2+
global check_%1, check_%1_at, check_%1_behind
check_%1:
    mov edx, edi
    mov rdi, rsi
    mov ecx, 2
    xor eax, eax
check_%1_at:
    %2
check_%1_behind:
    nop
    ret
%endmacro
PORT out_byte, out dx, al
PORT out_word, out dx, ax
PORT in_byte, in al, dx
PORT out_string, rep outsb

; MOV SS, RDI: its selector. RSI: flags to be set, of which TF steps from the instruction behind POPFQ on.
global check_stack_switch, stack_switch_behind, stack_switch_next
check_stack_switch:
    pushfq
    or [rsp], rsi
    popfq
    mov ss, [rdi]
stack_switch_behind:
    xor eax, eax
stack_switch_next:
    nop
    ret

; A repeated store: eight bytes.
global check_repeat, check_repeat_at
check_repeat:
    mov ecx, 8
    mov eax, esi
check_repeat_at:
    rep stosb
    ret

; TF steps behind the instruction after POPFQ.
global check_stepped_store, check_stepped_store_behind
check_stepped_store:
    pushfq
    or qword [rsp], 0x100
    popfq
    mov [rdi], sil
check_stepped_store_behind:
    nop
    ret

; Reads [RDI] and then faults where it would write that; the return address is the only thing on the stack.
global check_write_nowhere
check_write_nowhere:
    mov rsi, rdi
    mov rdi, 0x2000000000
    movsb
    ret

%macro REGISTER 1
global check_set_dr%1, check_get_dr%1, check_get_dr%1_at
check_set_dr%1:
    mov dr%1, rdi
    ret
check_get_dr%1:
check_get_dr%1_at:
    mov rax, dr%1
    ret
%endmacro
REGISTER 0
REGISTER 1
REGISTER 2
REGISTER 3
REGISTER 4
REGISTER 6
REGISTER 7
section .note.GNU-stack noalloc noexec nowrite progbits
