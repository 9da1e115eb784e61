; A division by zero.
        bits    64
        xor     ecx, ecx
        div     ecx
