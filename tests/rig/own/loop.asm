; A loop without an end.
        bits    64
again:  jmp     again
