; Writes above the large page of its buffer.
        bits    64
        mov     [rsi + 0x200000], rax
