; Writes below its buffer.
        bits    64
        mov     [rsi - 8], rax
