; Writes above 4 GiB.
        bits    64
        mov     rax, 0x500000000
        mov     [rax], rax
