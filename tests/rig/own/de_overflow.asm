; A quotient that has no room.
        bits    64
        mov     edx, 1
        mov     ecx, 1
        div     ecx
