; Returns with eight bytes too many on the stack.
        bits    64
        push    qword [rsp]
        ret
