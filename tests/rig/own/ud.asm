; An instruction that no processor has.
        bits    64
        ud2
