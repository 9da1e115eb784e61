; What all vectors share behind their stubs: it calls trap_dispatch.

        bits 64
        default rel
        section .text

%include "boot/machine/trap_stubs.inc"

        extern  trap_dispatch

        align   16
stubs:
        TRAP_STUBS

        align   16
        PERHAPS_ERROR_CODE

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
