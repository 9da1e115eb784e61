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
; In ring 3, where window->ring_3 is not null, the window runs so: WRMSR, IRETQ to ring 3, CALL of
; the kernel, INT VECTOR_LEAVE back to ring 0, three MOVs and the stopping WRMSR. Of these CALL and INT
; run in ring 3, the others in ring 0, where counters of ring 3 do not count. The CALL is there, though
; IRETQ could go to the kernel itself, so that the kernel's RET is predicted as in ring 0.
;
; void window_run(const struct window *window): System V, rdi = window; see window.h.

default rel
bits 64

global window_run
global window_begin
global window_return
global window_stopped
global window_ring_3_begin
global window_in_ring_3
global window_ring_3_return
global window_ring_3_stopped
global window_ring_3_left

USER_DATA       equ 0x18 | 3                    ; context.h
USER_CODE       equ 0x20 | 3
DATA            equ 0x10
VECTOR_LEAVE    equ 0xf3                        ; machine/vector.h
FLAGS_IF        equ 1 << 9
FLAGS_IOPL      equ 3 << 12
PUSHED          equ 40                          ; by an interrupt: RIP, CS, RFLAGS, RSP, SS

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
    mov   r11, [rdi + 64]
    mov   rdi, [rdi + 8]
    cld
    test  r11, r11
    jnz   .to_ring_3
    mfence
    lfence
    jmp   .window

.to_ring_3:
    mov   rbx, [r11]                ; RSP0: what comes in ring 3 finds the stack as it is now
    mov   [rbx], rsp
    push  USER_DATA                 ; the frame of the way back, too, if an exception ends the kernel
    push  qword [r11 + 8]
    pushfq
    and   qword [rsp], ~FLAGS_IOPL
    push  USER_CODE
    lea   r11, [window_in_ring_3]
    push  r11
    mfence
    lfence
    jmp   window_ring_3_begin

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

window_end:
    cld
    add   rsp, 24
    pop   r15
    pop   r14
    pop   r13
    pop   r12
    pop   rbp
    pop   rbx
    ret

    align 64, db 0xcc               ; and those of a window in ring 3 another
window_ring_3_begin:
    wrmsr                           ; counting starts
    iretq
window_in_ring_3:
    call  r10                       ; 1
window_ring_3_return:
    int   VECTOR_LEAVE              ; 2
window_ring_3_left:                 ; rsp = RSP0 - PUSHED, interrupts off
    mov   ecx, [rsp + PUSHED]
    mov   eax, [rsp + PUSHED + 8]
    mov   edx, [rsp + PUSHED + 12]
    wrmsr                           ; counting stops
window_ring_3_stopped:
    mov   eax, DATA                 ; IRETQ and INT have cleared the selectors
    mov   ds, eax
    mov   es, eax
    mov   ss, eax
    test  dword [rsp + 16], FLAGS_IF
    lea   rsp, [rsp + PUSHED]
    jz    window_end
    sti
    jmp   window_end
