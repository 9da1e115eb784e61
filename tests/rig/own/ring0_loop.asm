; A loop without an end, but not in its trial.
        bits    64
        mov     eax, cs
        test    al, 3
        jnz     good                            ; a trial
        jmp     $
good:   ret
