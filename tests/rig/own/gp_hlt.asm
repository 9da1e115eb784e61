; Waits for an interrupt.
        bits    64
        hlt
