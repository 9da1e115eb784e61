; A measured window inside a bracket: one register is written before it and after it, the one that
; switches the last-branch stack on and off. Between the bracket's write and the window's
; first branch there are no branches but the CALL of window_run and the JMP in it; between the
; window's last branch and the bracket's second write there is only window_run's RET.
;
; void window_run_within(const struct window *window, uint32_t msr, uint64_t enable,
;                        uint64_t disable): System V; see window.h.

default rel
bits 64

global window_run_within
extern window_run

section .note.GNU-stack noalloc noexec nowrite progbits
section .text align=64

window_run_within:
    push  rbx
    push  r12
    sub   rsp, 8
    mov   r12d, esi
    mov   rbx, rcx
    mov   ecx, esi
    mov   eax, edx
    shr   rdx, 32
    wrmsr
    call  window_run
    mov   ecx, r12d
    mov   eax, ebx
    mov   rdx, rbx
    shr   rdx, 32
    wrmsr
    add   rsp, 8
    pop   r12
    pop   rbx
    ret
