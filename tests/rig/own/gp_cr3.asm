; Other page tables.
        bits    64
        xor     eax, eax
        mov     cr3, rax
