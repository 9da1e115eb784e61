; Another descriptor table.
        bits    64
        lgdt    [rsi]
