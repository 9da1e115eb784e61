; A breakpoint.
        bits    64
        int3
