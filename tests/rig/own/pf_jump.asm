; Jumps out of its code.
        bits    64
        mov     eax, 0x100000
        jmp     rax
