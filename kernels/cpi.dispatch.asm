; Hypothesis: one indirect jump goes to one of four routines, chosen by a register that takes each
; value from 1 to 63 once in an iteration (lfsr.inc). All edges out of the jump leave from the same
; address, so only their targets tell how often each routine ran.

%include "kernels/kernel.inc"
%include "kernels/lfsr.inc"

KERNEL cpi.dispatch, "a loop around an indirect jump to four routines"
    ITERATIONS  14
    ARENA       64
    EXPECT  INST_RETIRED.ANY,               n * 869,       n * 869
    EXPECT  BR_INST_RETIRED.ALL_BRANCHES,   n * 190,        n * 190
    EXPECT  BR_INST_RETIRED.NEAR_TAKEN,     n * 189,        n * 189
    EXPECT  MEM_INST_RETIRED.ALL_LOADS,     n * 63,        n * 63
    EXPECT  MEM_INST_RETIRED.ALL_STORES,    0,              0
PREPARE                                     ; writes the table of the routines
    lea   rax, [kernel_code.shift]
    mov   [rsi], rax
    lea   rax, [kernel_code.add]
    mov   [rsi + 8], rax
    lea   rax, [kernel_code.multiply]
    mov   [rsi + 16], rax
    lea   rax, [kernel_code.rotate]
    mov   [rsi + 24], rax
    ret
CODE
BLOCK .entry, 1
    mov   eax, 1
BLOCK .next, n * 63
    LFSR_STEP
    mov   ecx, eax
    and   ecx, 3
.dispatch:
    jmp   [rsi + rcx * 8]
TARGETS .dispatch, .shift, .add, .multiply, .rotate
    align 16, db 0xcc
BLOCK .shift, n * 15
    shr   rbx, 1
    jmp   .done
    align 16, db 0xcc
BLOCK .add, n * 16
    add   rbx, rax
    lea   r10, [r10 + rbx]
    jmp   .done
    align 16, db 0xcc
BLOCK .multiply, n * 16
    imul  rbx, rax
    imul  rbx, rbx
    or    rbx, 1
    jmp   .done
    align 16, db 0xcc
BLOCK .rotate, n * 16
    rol   rbx, 3
    jmp   .done
    align 16, db 0xcc
BLOCK .done, n * 63
    cmp   eax, 1
    jne   .next                             ; taken, except at the end of the period
BLOCK .period, n
    dec   rdi
    jnz   .next                             ; taken, except the last time
BLOCK .leave, 1
    ret
ENDKERNEL
