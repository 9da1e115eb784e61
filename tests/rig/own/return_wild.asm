; Returns to another address.
        bits    64
        mov     eax, 0x100000
        push    rax
        ret
