; Bytes that are no instruction.
        bits    64
        db      0x0f, 0xff, 0xff
