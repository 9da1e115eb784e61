; Code whose instructions retire at all distances: alone, in groups, late, and behind mispredicted branches; and the
; handler that notes where it was interrupted.
bits 64
default rel
section .text

; work(rounds, table), with a seed in r9d: `table` is 64 KiB, aligned to a page.
global work
align 64
work:
    mov rcx, rdi
    mov r8, rsi
    mov eax, r9d
.round:
    times 5 nop
    mov rdx, rax                ; a chain of single cycles
    shl rdx, 13
    xor rax, rdx
    mov rdx, rax
    shr rdx, 7
    xor rax, rdx
    imul r9, rax, 77
    imul r9, r9, 77             ; and one of three
    mov r10, rax
    and r10d, 0xffc0
    mov r11, [r8 + r10]         ; a load from anywhere in the table
    add r11, r9
    mov [r8 + r10 + 8], r11
    test al, 1                  ; a coin
    jz .tails
    times 3 nop
    call leaf
.tails:
    test cl, 7
    jnz .cheap
    mov r10, rdx
    mov eax, ecx
    xor edx, edx
    mov r11d, 3
    div r11                     ; long, and in order
    mov rdx, r10
    lock add qword [r8], 1
    push rcx
    push rdi
    mov ecx, 5
    mov rdi, r8
    rep stosb
    pop rdi
    pop rcx
    mov rax, r9
    or rax, 1
    mfence                      ; on some cores nothing is in the re-order buffer behind it
    nop
.cheap:
    dec rcx
    jnz .round
    ret
align 32
leaf:
    add r9, 5
    ret

; window(rounds, table, enable, seed): counts while work runs.
global window
align 64
window:
    mov r9, rcx
    mov ecx, 0x38f
    mov eax, edx
    shr rdx, 32
    wrmsr
    call work
    mov ecx, 0x38f
    xor eax, eax
    xor edx, edx
    wrmsr
    ret

; The handler of the interrupt, whichever way it came.
global taken, taken_rip, taken_count
align 16
taken:
    push rax
    mov rax, [rsp + 8]
    mov [taken_rip], rax
    inc qword [taken_count]
    mov eax, 0xfee000b0
    mov dword [rax], 0          ; end of interrupt; nothing is in service during an NMI
    pop rax
    iretq

section .data
taken_rip dq 0
taken_count dq 0
section .note.GNU-stack noalloc noexec nowrite progbits
