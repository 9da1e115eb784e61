; A reset of the machine.
        bits    64
        mov     dx, 0xcf9
        mov     al, 6
        out     dx, al
