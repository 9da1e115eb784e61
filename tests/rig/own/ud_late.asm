; The same, but only in the last iteration.
        bits    64
again:  dec     rdi
        jnz     again
        ud2
