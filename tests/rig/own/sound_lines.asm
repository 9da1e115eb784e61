; A sound kernel: visits the lines of its buffer, and writes to its own code.
        bits    64
again:  mov     eax, edi
        and     eax, 63
        shl     eax, 6
        add     rdx, [rsi + rax]
        dec     rdi
        jnz     again
        inc     dword [rel count]
        ret
count:  dd      0
