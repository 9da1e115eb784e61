; The trap flag.
        bits    64
        pushfq
        or      dword [rsp], 0x100
        popfq
        nop
