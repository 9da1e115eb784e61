; A sound kernel that leaves everything behind that it may: registers, flags, segments, modes.
        bits    64
again:  dec     rdi
        jnz     again
        xor     eax, eax
        mov     ds, eax
        mov     es, eax
        mov     fs, eax
        mov     gs, eax
        push    0x40000                         ; AC
        popfq
        std
        push    0x7f80                          ; rounds towards zero
        ldmxcsr [rsp]
        fldz
        fldpi
        mov     dword [rsp], 0x0c7f             ; rounds towards zero
        fldcw   [rsp]
        pop     rax
        mov     rbx, rax
        mov     rbp, rax
        mov     r12, rax
        mov     r13, rax
        mov     r14, rax
        mov     r15, rax
        ret
