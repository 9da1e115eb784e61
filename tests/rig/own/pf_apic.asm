; Writes to the local APIC.
        bits    64
        mov     eax, 0xfee000b0
        mov     [rax], eax
