; A stack pointer into nowhere.
        bits    64
        mov     esp, 0x1000
        push    rax
