; A program as programs are: Fibonacci's numbers by recursion, fib(k) = fib(k - 1) + fib(k - 2). Calls
; and returns nest as deep as a return stack reaches, and what they need goes through memory.
;
; Hypothesis: returns are predicted, for no more than eleven calls are open at a time and a return
; stack has sixteen places. What a core may not learn is whether a k is below 2, the order of
; Fibonacci's word; who says the same each time is wrong for 88 of 177. Of 532 branches 444 are
; taken, and of taken branches a core has two a cycle at most (a guess: most of today's have one).
;
; fib(10) = 55 makes 177 calls, its own included: 89 of them, fib(11), for a k below 2, and 88 others.

%include "kernels/kernel.inc"

KERNEL prog.recursion, "Fibonacci's numbers by recursion"
    LEVEL       3
    ITERATIONS  16
    EXPECT  INST_RETIRED.ANY,               n * 1504,       n * 1504
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 532,        n * 532
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 444,        n * 444
    EXPECT  BR_INST_RETIRED.NEAR_CALL,      n * 177,        n * 177
    EXPECT  BR_INST_RETIRED.NEAR_RETURN,    n * 177,        n * 177
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 353,        n * 353
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n * 353,        n * 353
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   -128,           n * 96
    EXPECT  BR_MISP_RETIRED.RET,            -128,           n * 9
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 444 / 2,    n * (1504 / width * 2 + 96 * 32)
CODE
.loop:                                      ; 4 instructions, 89 x 4, 88 x 13
    mov   ecx, 10
    call  .fib
    dec   rdi
    jnz   .loop
    ret
    align 32, db 0xcc
.fib:                                       ; eax = fib(ecx)
    mov   eax, ecx
    cmp   ecx, 2
    jb    .end
    push  rcx
    dec   ecx
    call  .fib
    pop   rcx
    push  rax
    sub   ecx, 2
    call  .fib
    pop   rdx
    add   eax, edx
.end:
    ret
ENDKERNEL
