; No RET: behind the code are breakpoints.
        bits    64
again:  dec     rdi
        jnz     again
