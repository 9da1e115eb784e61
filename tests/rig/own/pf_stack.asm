; Calls itself until the stack is full.
        bits    64
again:  call    again
