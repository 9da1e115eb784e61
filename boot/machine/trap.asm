; A stub for each of the 256 vectors. It pushes 0 where the processor pushes no error code, then the
; vector, and goes on to the part that all share, which calls trap_dispatch.

        bits 64
        default rel
        section .text

STUB_SIZE       equ 16
        ; Vectors with an error code: 8, 10-14, 17, 21 (SDM 3A, "Protected-Mode Exceptions and
        ; Interrupts"), and AMD's 29 and 30.
ERROR_CODES     equ 1 << 8 | 0x1f << 10 | 1 << 17 | 1 << 21 | 3 << 29

        extern  trap_dispatch

        align   16
stubs:
%assign vector 0
%rep 256
        align   STUB_SIZE
    %if vector >= 32 || (ERROR_CODES >> vector & 1) == 0
        push    0
    %endif
        push    strict dword vector
        jmp     strict near every_trap
    %assign vector vector + 1
%endrep

        align   16
every_trap:
        cld
        push    rax
        push    rbx
        push    rcx
        push    rdx
        push    rsi
        push    rdi
        push    rbp
        push    r8
        push    r9
        push    r10
        push    r11
        push    r12
        push    r13
        push    r14
        push    r15
        mov     rdi, rsp                        ; struct trap_frame: 22 words below an aligned start
        call    trap_dispatch
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     rbp
        pop     rdi
        pop     rsi
        pop     rdx
        pop     rcx
        pop     rbx
        pop     rax
        add     rsp, 16
        iretq

        global trap_stub:function hidden
trap_stub:                                      ; in: edi = vector; out: rax
        mov     eax, edi
        shl     eax, 4                          ; STUB_SIZE
        lea     rdx, [stubs]
        add     rax, rdx
        ret

        section .note.GNU-stack noalloc noexec nowrite progbits
