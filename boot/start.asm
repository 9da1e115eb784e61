; The image's first instruction. The firmware calls it in its own convention: rcx = image handle,
; rdx = system table; rdi, rsi and xmm6 to xmm15 belong to the caller. Relocates the image and calls
; efi_main in the convention of the C code. The firmware may have control-flow enforcement on: then
; the first instruction must be ENDBR64, and it is off until the image returns (context/cet.asm).

        bits 64
        default rel

        extern  ImageBase
        extern  _DYNAMIC
        extern  image_relocate
        extern  efi_main

IA32_S_CET      equ 0x6a2
ENFORCED        equ 5                           ; SH_STK_EN, ENDBR_EN
CR4_CET_BIT     equ 23

        section .text

        global image_start:function hidden
image_start:
        endbr64
        mov     rax, cr4
        bt      rax, CR4_CET_BIT
        jnc     .plain
        mov     r10, rcx
        mov     r11, rdx
        mov     ecx, IA32_S_CET
        rdmsr
        test    al, ENFORCED
        jz      .kept
        mov     [cet_control], eax
        mov     [cet_control + 4], edx
        mov     rax, cr4
        btr     rax, CR4_CET_BIT
        mov     cr4, rax
.kept:
        mov     rcx, r10
        mov     rdx, r11
.plain:
        push    rdi
        push    rsi
        sub     rsp, 10 * 16 + 8                ; the stack is now a multiple of 16
%assign i 0
%rep 10
        movaps  [rsp + i * 16], xmm %+ %eval(i + 6)
    %assign i i + 1
%endrep
        push    rcx
        push    rdx
        lea     rdi, [ImageBase]
        lea     rsi, [_DYNAMIC]
        call    image_relocate
        pop     rsi
        pop     rdi
        call    efi_main
%assign i 0
%rep 10
        movaps  xmm %+ %eval(i + 6), [rsp + i * 16]
    %assign i i + 1
%endrep
        add     rsp, 10 * 16 + 8
        pop     rsi
        pop     rdi
        cmp     qword [cet_control], 0
        je      .return
        mov     rcx, cr4                        ; the return address is on top of the shadow stack
        bts     rcx, CR4_CET_BIT
        mov     cr4, rcx
.return:
        ret

        section .bss

        global cet_control:data hidden
cet_control:    resq 1                          ; IA32_S_CET as found; 0: nothing is enforced

        ; The firmware's loader moves only an image with a relocation table. This one has a single
        ; entry that does nothing: image_relocate does the work.
        section .reloc progbits alloc noexec nowrite align=4
        dd      0, 12
        dw      0, 0

        section .note.GNU-stack noalloc noexec nowrite progbits
