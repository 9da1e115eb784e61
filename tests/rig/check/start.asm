; Parts of the check image that C cannot say: exception entries, the processors' way from real mode to C, and small pieces of
; code whose every instruction matters. Own code, so that the machine is tried by something other than the program it was made for.
bits 64
default rel
section .text

; One entry a vector, 16 bytes apart: vector on the stack, then the common part.
global check_entries
align 16
check_entries:
%assign vector 0
%rep 256
    align 16
%if vector = 8 || (vector >= 10 && vector <= 14) || vector = 17
    nop
    nop
%else
    push 0
%endif
    push vector
    jmp to_c
%assign vector vector + 1
%endrep

; check_trap(frame) in the System V convention; it may change the frame.
extern check_trap
align 16
to_c:
    push rax
    push rcx
    push rdx
    push rbx
    push rbp
    push rsi
    push rdi
    push r8
    push r9
    push r10
    push r11
    mov rdi, rsp
    mov rbx, rsp
    and rsp, -16
    cld
    call check_trap
    mov rsp, rbx
    pop r11
    pop r10
    pop r9
    pop r8
    pop rdi
    pop rsi
    pop rbp
    pop rbx
    pop rdx
    pop rcx
    pop rax
    add rsp, 16
    iretq

; Faulting instructions; check_trap goes on at check_resume.
global check_set_cr0, check_set_cr3, check_set_cr4, check_set_cr8, check_get_cr8
check_set_cr0:
    mov cr0, rdi
    ret
check_set_cr3:
    mov cr3, rdi
    ret
check_set_cr4:
    mov cr4, rdi
    ret
check_set_cr8:
    mov cr8, rdi
    ret
check_get_cr8:
    mov rax, cr8
    ret
global check_rdmsr, check_null, check_divide, check_undefined, check_selector, check_write, check_noncanonical, check_resume
check_rdmsr:
    mov ecx, edi
    rdmsr
    ret
check_null:
    mov rax, [rdi]
    ret
check_write:
    mov [rdi], rax
    ret
check_noncanonical:
    mov rax, 0x1234567812345678
    mov rax, [rax]
    ret
check_divide:
    xor edx, edx
    xor ecx, ecx
    mov eax, 1
    div ecx
    ret
check_undefined:
    ud2
    ret
check_selector:
    mov eax, 0xfff8
    mov ds, ax
    ret
check_resume:
    ret

; uint32_t check_own_block(unused, value): writes `value`, a byte, into an instruction of its own block, and returns it.
global check_own_block, check_own_block_byte
check_own_block:
    lea rdx, [check_own_block_byte]
    mov eax, esi
    mov [rdx + 1], al           ; the operand of the next instruction but two, in the same block
    nop
    nop
check_own_block_byte:
    mov eax, 0x11
    ret

; A #GP handler of three instructions: goes on behind an instruction of two bytes.
global check_skip_two
check_skip_two:
    add qword [rsp + 8], 2
    add rsp, 8
    iretq

; Where a started processor begins, copied below 1 MiB. The words at the end are filled in by C.
global check_trampoline, check_trampoline_end, check_fixups
bits 16
align 16
check_trampoline:
    cli
    mov ax, cs
    mov ds, ax
    movzx ebx, ax
    shl ebx, 4                  ; linear address of the trampoline
    lea eax, [ebx + gdt - check_trampoline]
    mov [gdt_pointer - check_trampoline + 2], eax
    lea eax, [ebx + in32 - check_trampoline]
    mov [far32 - check_trampoline], eax
    lea eax, [ebx + in64 - check_trampoline]
    mov [far64 - check_trampoline], eax
    o32 lgdt [gdt_pointer - check_trampoline]
    mov eax, cr0
    or al, 1
    mov cr0, eax
    jmp far dword [far32 - check_trampoline]
bits 32
in32:
    mov ax, 16
    mov ds, ax
    mov es, ax
    mov ss, ax
    mov eax, cr4
    or eax, 0x620               ; PAE, SSE
    mov cr4, eax
    mov eax, [ebx + check_fixups - check_trampoline]
    mov cr3, eax
    mov ecx, 0xc0000080
    rdmsr
    or eax, 0x900
    wrmsr
    mov eax, cr0
    and eax, 0x9fffffff
    or eax, 0x80000022
    mov cr0, eax
    jmp far dword [ebx + far64 - check_trampoline]
bits 64
in64:
    mov eax, 1
    mov rdi, [rbx + check_fixups - check_trampoline + 8]    ; ticket counter
    lock xadd [rdi], eax
    mov edi, eax
    inc eax
    shl rax, 13                                             ; 8 KiB of stack each
    add rax, [rbx + check_fixups - check_trampoline + 16]
    mov rsp, rax
    lidt [rbx + check_fixups - check_trampoline + 32]
    mov rax, [rbx + check_fixups - check_trampoline + 24]
    call rax
    cli
.stay:
    hlt
    jmp .stay
align 8
gdt:
    dq 0
    dq 0x00cf9b000000ffff
    dq 0x00cf93000000ffff
    dq 0x00af9b000000ffff
    times 3 dq 0
    dq 0x00af9b000000ffff       ; 0x38: what the firmware's gates name
gdt_pointer:
    dw 63
    dd 0
align 8
far32:
    dd 0
    dw 8
align 8
far64:
    dd 0
    dw 0x38
align 8
check_fixups:
    times 6 dq 0
check_trampoline_end:
section .note.GNU-stack noalloc noexec nowrite progbits
