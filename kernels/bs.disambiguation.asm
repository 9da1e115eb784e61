; Hypothesis: the predictor lets a load go ahead of an older store whose address is not known yet
; when this was harmless often enough: fifteen times fill the load's counter (J. Doweck, "Inside
; Intel Core Microarchitecture and Smart Memory Access"). Here one function loads eighteen times in
; an iteration. The first seventeen times the store before it goes elsewhere, and its address is
; late by two multiplications; the eighteenth time the address is late by a chain of multiplications,
; and the store goes to the place that is loaded. The load has then read the old value, and it and
; all that follows must be thrown away. By that time this is nearly as much as the machine holds,
; but not more, so that the slots are lost to the clear and not to a full re-order buffer. Since Ice
; Lake the vendor's list does not name such clears any more where it describes
; MACHINE_CLEARS.MEMORY_ORDERING: whether they are counted there is left open.

%include "kernels/kernel.inc"

TRAINING equ 17

KERNEL bs.disambiguation, "loads that went ahead of a store to the same place"
    ITERATIONS  60
    ARENA       4096
    PAGES       4K
    LEAF        tma_clears_resteers
    LEVEL       4
    EXPECT  INST_RETIRED.ANY,               n * 121,        n * 121
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 37,         n * 37
    EXPECT  MACHINE_CLEARS.COUNT,           n * 0.9,        n * 1.1
    EXPECT  MACHINE_CLEARS.MEMORY_ORDERING, n * 0.9 * ordering_names_disambiguation, n * 1.1
    EXPECT  MACHINE_CLEARS.DISAMBIGUATION,  n * 0.9,        n * 1.1
    EXPECT  tma_bad_speculation,            0.3,            0.95
    EXPECT  tma_machine_clears,             0.3,            0.95
PREPARE
    mov   qword [rsi], 0
    mov   qword [rsi + 64], 0
    ret
CODE
    mov   r10d, 1
    lea   r8, [rsi + 64]
.loop:
%rep TRAINING
    imul  rdx, r8, 1
    imul  rdx, r10
    mov   [rdx], rdi                        ; 16 bytes with the call
    call  .load
%endrep
    mov   rdx, rsi
%rep 12
    imul  rdx, r10
%endrep
    mov   [rdx], rdi
    call  .load
    dec   rdi
    jnz   .loop
    ret
    align 32, db 0xcc
.load:
    mov   rax, [rsi]
    ret
ENDKERNEL
