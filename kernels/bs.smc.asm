; Hypothesis: a store into code that is in the pipeline clears the machine, and everything younger
; than the store is thrown away. The address of the store comes out of four dependent
; multiplications, so by then much younger work has been issued: the next iterations of this loop,
; with the code that they call. That code, a function in the arena that returns a constant, really
; changes: each iteration writes its number into the constant and calls the function.
; Beside another thread: eleven instructions, of which CALL is up to four uops and RET up to three;
; DEC and JNZ may be one. Where the slots of the recovery are the front end's (AMD), nothing is
; claimed of bad speculation. What a clear costs, and whom, depends on what the other thread takes.

%include "kernels/kernel.inc"

CONSTANT equ 4                              ; its offset in the function, aligned

KERNEL bs.smc, "self-modifying code"
    ITERATIONS  150
    ARENA       4096
    LEAF        tma_other_nukes | tma_machine_clears
    EXPECT  INST_RETIRED.ANY,               n * 11,         n * 11
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 3,          n * 3
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 3,          n * 3
    EXPECT  MACHINE_CLEARS.SMC,             n * 0.9,        n * 2.5
    EXPECT  tma_bad_speculation,            0.3 if recovery_is_bad > 0 else NA, 0.98
    EXPECT  tma_machine_clears,             0.25,           0.98
    BESIDE  n * 10, n * 16
PREPARE
    mov   dword [rsi], 0xb8001f0f           ; NOP of 3 bytes, MOV EAX,
    mov   dword [rsi + CONSTANT], 0         ;     imm32
    mov   byte [rsi + CONSTANT + 4], 0xc3   ; RET
    ret
CODE 3
    lea   r9, [rsi + CONSTANT]
    mov   r10d, 1
.loop:
%rep 4
    imul  r9, r10
%endrep
    mov   [r9], edi
    call  rsi
    dec   rdi
    jnz   .loop
    ret
ENDKERNEL
