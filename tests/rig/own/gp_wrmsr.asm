; Switches counting off.
        bits    64
        mov     ecx, 0x38f
        xor     eax, eax
        xor     edx, edx
        wrmsr
