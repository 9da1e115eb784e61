; Calls itself until the stack is full, but not in its trial.
        bits    64
        mov     eax, cs
        test    al, 3
        jnz     good                            ; a trial
again:  call    again
good:   ret
