; Ring 3 and back: what C cannot say. SDM 3A, "Interrupt and Exception Handling", "64-Bit Mode Stack Switching".
bits 64
default rel
section .text

; uint64_t check_ring_3(void *code, void *stack, uint64_t argument): runs `code` in ring 3 with the argument in RDI, interrupts
; on, until it says INT 0x80 or SYSCALLs; gives its RAX. The selectors are those of rings().
global check_ring_3, check_ring_3_done, check_ring_3_call
check_ring_3:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [rel kernel_stack], rsp
    mov rax, rdi
    mov rdi, rdx
    pushfq
    pop rdx
    or edx, 0x200
    or rdx, [rel user_flags]
    push 0x4b                   ; SS: the user's data
    push rsi
    push rdx
    push 0x53                   ; CS: the user's code
    push rax
    iretq

; The handler of INT 0x80. Interrupts are off: its gate sees to that.
check_ring_3_done:
    mov rsp, [rel kernel_stack]
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret

; Where SYSCALL goes: doubles RAX and goes back, without a stack.
check_ring_3_call:
    add rax, rax
    o64 sysret

; ---- code for ring 3 ----
global user_loop, user_level, user_read, user_write, user_cli, user_hlt, user_cr3, user_in, user_rdmsr, user_int, user_monitor
global user_counter, user_call
; RDI turns of two instructions, and three around them
user_loop:
    mov rcx, rdi
.turn:
    dec rcx
    jnz .turn
    int 0x80
user_level:
    mov eax, cs
    int 0x80
user_read:
    call .one
    int 0x80
.one:
    mov rax, [rdi]
    ret
user_write:
    call .one
    int 0x80
.one:
    mov [rdi], rax
    ret
; One faulting instruction each, called so that the handler can return for them.
%macro FAULTS 2+
%1:
    call .one
    int 0x80
.one:
    %2
    ret
%endmacro
    FAULTS user_cli, cli
    FAULTS user_hlt, hlt
    FAULTS user_cr3, mov rax, cr3
    FAULTS user_int, int 0x82
    FAULTS user_monitor, monitor
user_in:
    call .one
    int 0x80
.one:
    mov edx, edi
    in al, dx
    ret
user_rdmsr:
    call .one
    int 0x80
.one:
    mov ecx, 0xc1
    rdmsr
    ret
user_counter:
    call .one
    int 0x80
.one:
    xor eax, eax
    xor ecx, ecx
    rdpmc
    mov eax, 1
    ret
user_call:
    mov eax, edi
    syscall
    int 0x80
section .bss
alignb 8
global user_flags
kernel_stack: resq 1
user_flags: resq 1    ; to be set besides IF
section .note.GNU-stack noalloc noexec nowrite progbits
