; Calls a service of somebody else.
        bits    64
        int     0x80
