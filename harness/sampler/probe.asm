; The cost of an interrupt, measured by the counter that is sampled; see probe.h.
;
; Every RDPMC has an LFENCE before it: it counts what is older, and nothing of what follows.
;
; void probe_run(struct probe *probe): System V, rdi = probe.

default rel
bits 64

global probe_run:function hidden

section .note.GNU-stack noalloc noexec nowrite progbits
section .text align=64

; Reads the counter whose index is in %1 into [rdi + %2].
%macro READ 2
    mov   ecx, %1
    lfence
    rdpmc
    mov   [rdi + %2], eax
    mov   [rdi + %2 + 4], edx
%endmacro

%macro SWITCH 1                     ; the register gets what is at [rdi + %1]
    mov   ecx, [rdi]
    mov   eax, [rdi + %1]
    mov   edx, [rdi + %1 + 4]
    wrmsr
%endmacro

%macro PROBE 2                      ; its name, the instruction between
    align 64, db 0xcc
%1:
    SWITCH 8
    READ  r8d, 48
    READ  r9d, 72
    READ  r8d, 56
    %2
    READ  r8d, 64
    READ  r9d, 80
    SWITCH 16
    ret
%endmacro

probe_run:
    mov   r8d, [rdi + 24]
    mov   r9d, [rdi + 32]
    mov   rax, [rdi + 40]
    mfence
    lfence
    cmp   rax, 2
    jb    without
    je    nmi
    jmp   fixed

    PROBE without, nop
    PROBE nmi, {int 2}
    PROBE fixed, {int 0xf2}         ; VECTOR_PMI
