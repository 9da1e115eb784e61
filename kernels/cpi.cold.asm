; Hypothesis: code comes from memory each time that it runs: is the wait the first instruction's of
; the line that is not there? Each of 16 blocks lies in a line of its own, and flushes the line of the
; block that ran before it: when that block's turn comes again, its line has to be fetched. A block
; has two lines, so that the prefetcher of pairs does not help, and the order is not that of the
; addresses. What else a CPU prefetches, or how far its front end runs ahead, makes lines wait
; together; one that clears its pipeline where code of it is flushed takes longer. So the cycles are
; claimed within wide bounds: a round waits for memory once at least. A trace cache, as NetBurst has
; it, may keep what is flushed; there nothing is claimed of the cycles.

%include "kernels/kernel.inc"

BLOCKS equ 16
PLACE  equ 128                              ; bytes of a block

; Block i is followed by block 5 i + 5 and follows block 13 i + 15, modulo 16: 0, 5, 14, 11 ... 15.
%macro NEIGHBOURS 1
    %assign before (13 * %1 + 15) % BLOCKS
    %assign behind (5 * %1 + 5) % BLOCKS
%endmacro

%macro COLD_WORK 0
    add   rbx, rcx
    lea   r9, [.cold %+ before]
    xor   rcx, 5
    clflush [r9]
%endmacro

KERNEL cpi.cold, "blocks whose code comes from memory"
    ITERATIONS  4
    EXPECT  INST_RETIRED.ANY,               n * 81,         n * 81
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 16,         n * 16
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 16,         n * 16
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * memory_latency,     n * 16 * (memory_latency * 2 + 400)
CODE
BLOCK .entry, 1
    mov   ecx, 1
    jmp   .cold0
%assign number 0
%rep BLOCKS
    align PLACE, db 0xcc
    NEIGHBOURS number
BLOCK .cold %+ number, n
    COLD_WORK
    %if behind != 0
    jmp   .cold %+ behind
    %else
    dec   rdi
    jnz   .cold0                            ; taken, except the last time
    %endif
    %assign number number + 1
%endrep
BLOCK .leave, 1
    ret
ENDKERNEL
