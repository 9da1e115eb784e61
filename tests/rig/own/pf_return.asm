; Writes where it returns to.
        bits    64
        mov     rax, [rsp]
        mov     [rax], rax
