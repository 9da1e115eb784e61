; Reads where nothing is.
        bits    64
        xor     eax, eax
        mov     rax, [rax]
