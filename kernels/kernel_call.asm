; void kernel_call(void (*routine)(void), uint64_t n, void *arena, uint64_t arena_bytes,
;                  uint64_t dose)
; Converts the System V calling convention of the C code (rdi, rsi, rdx, rcx, r8; rbx, rbp, r12-r15
; are kept) to that of the kernels (kernel.inc).

bits 64
default rel

section .note.GNU-stack noalloc noexec nowrite progbits
section .text

global kernel_call
kernel_call:
    push  rbx
    push  rbp
    push  r12
    push  r13
    push  r14
    push  r15
    mov   rax, rdi
    mov   rdi, rsi
    mov   rsi, rdx
    mov   r9, r8
    mov   r8, rcx
    cld
    call  rax
    cld
    pop   r15
    pop   r14
    pop   r13
    pop   r12
    pop   rbp
    pop   rbx
    ret
