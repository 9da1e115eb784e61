; Writes the last byte of a buffer of one page of 4 KiB, and the byte above it.
        bits    64
        mov     byte [rsi + 4095], 1
        mov     byte [rsi + 4096], 1
        ret
