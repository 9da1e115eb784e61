; Loops after its iterations.
        bits    64
again:  dec     rdi
        jnz     again
        jmp     $
