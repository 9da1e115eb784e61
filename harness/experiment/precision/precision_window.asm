; A window in which SLOTS and PERF_METRICS are read twice while they count: before and after a
; region, which is one call of the kernel. What runs before the region since the last reset is
; another call, of the kernel or of the chain below.
;
; RDPMC does not wait for older instructions, so an LFENCE before each pair of readings does: what
; the pair reads is all that ran before it, and as much of the two fences' own cycles each time.
;
; void precision_window_run(struct precision_window *window): System V; see precision_window.h.

default rel
bits 64

global precision_window_run
global precision_chain

PERF_GLOBAL_CTRL equ 0x38f
FIXED_CTR3       equ 0x30c
PERF_METRICS     equ 0x329
RDPMC_SLOTS      equ 0x40000003
RDPMC_METRICS    equ 0x20000000

; Code, and the window member that holds its iterations.
%macro CALL_CODE 2
    mov   rax, [rsp]
    mov   rdi, [rax + %2]
    mov   rsi, [rax + 16]
    mov   r8, [rax + 24]
    mov   r9, [rax + 32]
    cld
    call  [rax + %1]
    mov   rbx, [rsp]
%endmacro

; MSR, value in rdx.
%macro WRITE 1
    mov   ecx, %1
    mov   eax, edx
    shr   rdx, 32
    wrmsr
%endmacro

; Counter, window member.
%macro READ 2
    mov   ecx, %1
    rdpmc
    shl   rdx, 32
    or    rax, rdx
    mov   [rbx + %2], rax
%endmacro

section .note.GNU-stack noalloc noexec nowrite progbits
section .text align=64

precision_window_run:
    push  rbx
    push  rbp
    push  r12
    push  r13
    push  r14
    push  r15
    push  rdi                       ; rsp is 16-aligned now
    mov   rbx, rdi
    mfence
    lfence
    mov   rdx, [rbx + 56]
    WRITE PERF_GLOBAL_CTRL          ; counting starts
    cmp   qword [rbx + 48], 0
    je    .reset
    CALL_CODE 40, 48
.reset:
    cmp   qword [rbx + 64], 0
    je    .region
    xor   edx, edx
    WRITE PERF_GLOBAL_CTRL          ; both are cleared while they do not count, SLOTS first
    xor   edx, edx
    WRITE FIXED_CTR3
    xor   edx, edx
    WRITE PERF_METRICS
    mov   rdx, [rbx + 56]
    WRITE PERF_GLOBAL_CTRL
.region:
    lfence
    READ  RDPMC_SLOTS, 72
    READ  RDPMC_METRICS, 80
    CALL_CODE 0, 8
    lfence
    READ  RDPMC_SLOTS, 88
    READ  RDPMC_METRICS, 96
    xor   edx, edx
    WRITE PERF_GLOBAL_CTRL          ; counting stops
    cld
    pop   rdi
    pop   r15
    pop   r14
    pop   r13
    pop   r12
    pop   rbp
    pop   rbx
    ret

; Dependent multiplications: most of their slots wait for the core, as in be.core.chain, so their
; shares are those of few other kernels. A kernel's CODE: rdi = iterations.
    align 64, db 0xcc
precision_chain:
    mov   eax, 3
.loop:
%rep 8
    imul  rax, rax, 5
%endrep
    dec   rdi
    jnz   .loop
    ret
