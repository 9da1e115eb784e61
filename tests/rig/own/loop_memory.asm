; Waits for another core.
        bits    64
again:  pause
        cmp     dword [rsi], 1
        jne     again
        ret
