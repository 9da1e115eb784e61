; XSAVE and XRSTOR. As in avx.asm, what may fault does so where only its caller's return address is on the stack.
bits 64
default rel
section .text

%macro MASKED 2                 ; name, instruction. RDI: the area, RSI: the mask
global %1
%1:
    mov eax, esi
    mov rdx, rsi
    shr rdx, 32
    %2 [rdi]
    ret
%endmacro
MASKED check_xsave, xsave64
MASKED check_xsave_32, xsave
MASKED check_xrstor, xrstor64
MASKED check_xrstor_32, xrstor
MASKED check_xsaveopt, xsaveopt64
MASKED check_xsavec, xsavec64
MASKED check_xsaves, xsaves64

; The same with CR0.TS while it runs and while its exception is handled, but no longer: C uses SSE.
%macro NO_DEVICE 2
global %1
%1:
    mov eax, esi
    mov rdx, rsi
    shr rdx, 32
    mov rcx, cr0
    or ecx, 8
    mov cr0, rcx
    call %%part
    clts
    ret
%%part:
    %2 [rdi]
    ret
%endmacro
NO_DEVICE check_xsave_ts, xsave64
NO_DEVICE check_xrstor_ts, xrstor64

; RDI: as C has it struct registers; ESI: 1 with AVX-512. A number of x87 each and MXCSR, then the vectors.
VECTORS equ 128
MASKS   equ VECTORS + 32 * 64
WORDS   equ MASKS + 8 * 8
%macro VECTORS_OF 2             ; vmovups with operands in which ever order: 0 loads, 1 stores
    test esi, esi
    jz %%narrow
%assign i 0
%rep 32
    %if %1
    vmovups [%2 + VECTORS + i * 64], zmm %+ i
    %else
    vmovups zmm %+ i, [%2 + VECTORS + i * 64]
    %endif
    %assign i i + 1
%endrep
%assign i 0
%rep 8
    %if %1
    kmovq [%2 + MASKS + i * 8], k %+ i
    %else
    kmovq k %+ i, [%2 + MASKS + i * 8]
    %endif
    %assign i i + 1
%endrep
    jmp %%done
%%narrow:
%assign i 0
%rep 16
    %if %1
    vmovups [%2 + VECTORS + i * 64], ymm %+ i
    %else
    vmovups ymm %+ i, [%2 + VECTORS + i * 64]
    %endif
    %assign i i + 1
%endrep
%%done:
%endmacro

load:
    fninit
    fldcw [rdi + WORDS]
    fld tword [rdi]
    fld tword [rdi + 16]
    fld tword [rdi + 32]
    ldmxcsr [rdi + WORDS + 4]
    VECTORS_OF 0, rdi
    ret

; RDI: registers, ESI, RDX: area, ECX: mask, R8: other registers, R9: registers found after. What is in registers is saved, overwritten
; and restored.
global check_switch
check_switch:
    push rbx
    push r12
    mov rbx, rdx
    mov r12d, ecx
    call load
    mov eax, r12d
    xor edx, edx
    xsave64 [rbx]
    mov rdi, r8
    call load
    mov eax, r12d
    xor edx, edx
    xrstor64 [rbx]
    VECTORS_OF 1, r9
    stmxcsr [r9 + WORDS + 4]
    fnstcw [r9 + WORDS]
    fstp tword [r9 + 32]
    fstp tword [r9 + 16]
    fstp tword [r9]
    fnstsw [r9 + WORDS + 2]
    fninit
    vzeroupper
    pop r12
    pop rbx
    ret

; RDI: registers, RSI: an area, RDX: 512 bytes for FXSAVE64. Saves x87 and SSE both ways.
global check_legacy
check_legacy:
    push rbx
    push r12
    mov rbx, rsi
    mov r12, rdx
    xor esi, esi
    call load
    fstp st0                    ; so that the top is not where a reset leaves it, and a register is empty
    fxsave64 [r12]
    mov eax, 3
    xor edx, edx
    xsave64 [rbx]
    fninit
    vzeroupper
    pop r12
    pop rbx
    ret

; RDI: an area, ESI: the mask, RDX: other registers, RCX: registers found after. Restores, with others there before.
global check_restore
check_restore:
    push rbx
    push r12
    mov rbx, rdi
    mov r12d, esi
    mov rdi, rdx
    xor esi, esi
    call load
    mov eax, r12d
    xor edx, edx
    xrstor64 [rbx]
    xor esi, esi
    VECTORS_OF 1, rcx
    stmxcsr [rcx + WORDS + 4]
    fnstcw [rcx + WORDS]
    fnstsw [rcx + WORDS + 2]
    fninit
    vzeroupper
    pop r12
    pop rbx
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
