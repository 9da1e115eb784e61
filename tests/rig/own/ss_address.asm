; A stack address that is not canonical.
        bits    64
        mov     rbp, 0x8000000000000000
        mov     [rbp], rax
