; A program as programs are: keys are hashed (FNV-1a, G. Fowler, L. C. Noll, K.-P. Vo), and a counter
; of the table's place is counted up. The multiplications of a key are one chain, the counters are
; more than L1 holds, and keys overlap as far as the re-order buffer reaches.
;
; Hypothesis: no key waits for another one but at a counter that both have, so a key takes as long as
; its instructions need slots: 90, where a compare or a count and its branch are one uop (of the 107,
; 17 branches). At most it takes its chain, a multiplication (3 or 4 cycles; on NetBurst up to 15) and
; an XOR for each byte, with its counter behind it, 64 cycles (a guess). The only branch without a
; long history is the end of a key, mispredicted once at most.

%include "kernels/kernel.inc"

KEY_BYTES   equ 16
KEYS        equ 4096                        ; a power of two
KEYS_AT     equ 64                          ; [arena] keeps the place in the keys
COUNTERS    equ 65536                       ; of 4 bytes
COUNTERS_AT equ KEYS_AT + KEYS * KEY_BYTES

KERNEL prog.hash, "keys are hashed and counted in a table"
    LEVEL       3
    ITERATIONS  200
    ARENA       64 + 16 * 4096 + 4 * 65536
    EXPECT  INST_RETIRED.ANY,               n * 107,        n * 107
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 17,         n * 17
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 16,         n * 16
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 17,         n * 17
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    n,              n
    EXPECT  BR_MISP_RETIRED.ALL_BRANCHES,   -128,           n * 1.2
    EXPECT  CPU_CLK_UNHALTED.THREAD,        n * 90 / width * 0.95, \
                n * (16 * (5 if width > 3 else 16) + 64)
PREPARE                                     ; keys by chance; the counters are 0
    mov   qword [rsi], 0
    lea   rbx, [rsi + KEYS_AT]
    mov   ecx, KEYS * KEY_BYTES / 4
    mov   eax, 0x2545f491
.key:
    imul  eax, eax, 1664525
    add   eax, 1013904223
    mov   [rbx], eax
    add   rbx, 4
    dec   ecx
    jnz   .key
    mov   ecx, COUNTERS
.counter:
    mov   dword [rbx], 0
    add   rbx, 4
    dec   ecx
    jnz   .counter
    ret
CODE 5
    mov   r10, [rsi]
.hash:                                      ; 3 instructions, 16 x 6 and 8
    lea   rbx, [rsi + r10 + KEYS_AT]
    mov   eax, 0x811c9dc5                   ; FNV's offset basis and prime
    mov   ecx, KEY_BYTES
.byte:
    movzx edx, byte [rbx]
    xor   eax, edx
    imul  eax, eax, 0x01000193
    inc   rbx
    dec   ecx
    jnz   .byte                             ; taken 15 times
    and   eax, COUNTERS - 1
    mov   edx, [rsi + rax * 4 + COUNTERS_AT]
    inc   edx
    mov   [rsi + rax * 4 + COUNTERS_AT], edx
    add   r10d, KEY_BYTES
    and   r10d, KEYS * KEY_BYTES - 1
    dec   rdi
    jnz   .hash
    mov   [rsi], r10
    ret
ENDKERNEL
