; Returns with eight bytes too few on the stack.
        bits    64
        ret     8
