; A sound kernel: each addition waits for the one before.
        bits    64
again:  add     qword [rsi], 1
        dec     rdi
        jnz     again
        ret
