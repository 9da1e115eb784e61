; A clock of instructions; see chain.h. An addition of two registers is executed in a cycle on every
; core so far. Additions of small constants and register moves are not used: some cores do them while
; renaming, in no time.

default rel
bits 64

global chain_run:function hidden
global chain_begin:data hidden
global chain_end:data hidden
global chain_branch_run:function hidden
global chain_branch_begin:data hidden
global chain_branch_target:data hidden
global chain_branch_end:data hidden

section .note.GNU-stack noalloc noexec nowrite progbits
section .text align=64

    align 64, db 0xcc
chain_run:
chain_begin:
    times 6000 add eax, eax
chain_end:
    ret

    align 64, db 0xcc
; The branch waits for nothing. While the multiplications are done it has a port to itself: so it
; retires with the last of them, and not with the addition behind it.
chain_branch_run:
chain_branch_begin:
    times 1000 add eax, eax
    times 4 imul eax, eax
    jmp   short chain_branch_target
chain_branch_target:
    times 1000 add eax, eax
chain_branch_end:
    ret
