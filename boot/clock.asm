; The time stamp counter, read as one number.

        bits 64
        section .text

        global clock_now:function hidden
clock_now:                                      ; out: rax
        rdtsc
        shl     rdx, 32
        or      rax, rdx
        ret

        section .note.GNU-stack noalloc noexec nowrite progbits
