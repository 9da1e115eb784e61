; Switches interrupts off, and loops.
        bits    64
        cli
again:  jmp     again
