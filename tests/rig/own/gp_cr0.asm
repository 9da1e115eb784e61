; No write protection.
        bits    64
        mov     rax, cr0
        mov     cr0, rax
