; Hypothesis: 32 instructions of different lengths and kinds, none of which accesses memory, count
; 32 in INST_RETIRED.ANY, whether the front end fuses them (CMP and JNZ), eliminates them (moves,
; zeroing) or splits them (XCHG).

%include "kernels/kernel.inc"

KERNEL cal.instructions, "32 instructions an iteration"
    ITERATIONS  200
    EXPECT  INST_RETIRED.ANY,               n * 32,         n * 32
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 1,          n * 1
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 1,          n * 1
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     0,              0
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
CODE
.loop:
%rep 3
    nop
    mov   rax, rdi
    lea   rcx, [rax + rax * 4 + 17]
    xor   edx, edx
    add   rdx, rcx
    imul  rbx, rdx, 1000003
    shl   rbx, 7
    xchg  rax, rbx
    movq  xmm0, rax
    pxor  xmm1, xmm0
%endrep
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
