; An address that is not canonical.
        bits    64
        mov     rax, 0x8000000000000000
        mov     [rax], rax
