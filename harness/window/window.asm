; The measured window: from the write that starts counting to the write that stops it.
;
; Five more instructions run inside it: CALL, three MOVs that load what WRMSR needs, and the
; stopping WRMSR as far as it counts itself. They are the same in every window, so the difference
; of a window of 2n iterations and a window of n does not contain them.
;
; The fences let everything older finish, stores and flushes too, before counting starts. WRMSR
; serialises by itself (SDM 3A, "Serializing Instructions"): nothing of the kernel runs before
; counting, and it has retired before counting stops.
;
; void window_run(const struct window *window): System V, rdi = window; see window.h.

default rel
bits 64

global window_run
global window_begin
global window_return
global window_stopped

section .note.GNU-stack noalloc noexec nowrite progbits
section .text align=64

    align 64, db 0xcc
window_run:
    push  rbx
    push  rbp
    push  r12
    push  r13
    push  r14
    push  r15
    sub   rsp, 24                   ; ecx, eax and edx of the end; rsp stays 16-aligned
    mov   ecx, [rdi + 32]
    mov   rax, [rdi + 48]
    mov   [rsp], ecx
    mov   [rsp + 8], rax
    mov   r10, [rdi]
    mov   rsi, [rdi + 16]
    mov   r8, [rdi + 24]
    mov   rax, [rdi + 40]
    mov   rdx, rax
    shr   rdx, 32
    mov   r9, [rdi + 56]
    mov   rdi, [rdi + 8]
    cld
    mfence
    lfence
    jmp   .window

    align 64, db 0xcc               ; the window's own bytes share one line
.window:
window_begin:
    wrmsr                           ; counting starts
    call  r10                       ; 1
window_return:
    mov   ecx, [rsp]                ; 2
    mov   eax, [rsp + 8]            ; 3
    mov   edx, [rsp + 12]           ; 4
    wrmsr                           ; 5, counting stops
window_stopped:

    cld
    add   rsp, 24
    pop   r15
    pop   r14
    pop   r13
    pop   r12
    pop   rbp
    pop   rbx
    ret
