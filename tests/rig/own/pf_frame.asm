; A frame larger than the stack.
        bits    64
        sub     rsp, 0x10000
        push    rax
