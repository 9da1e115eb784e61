; An instruction that no processor has, but not in its trial.
        bits    64
        mov     eax, cs
        test    al, 3
        jnz     good                            ; a trial
        ud2
good:   ret
