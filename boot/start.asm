; The image's first instruction. The firmware calls it in its own convention: rcx = image handle,
; rdx = system table; rdi, rsi and xmm6 to xmm15 belong to the caller. Relocates the image and calls
; efi_main in the convention of the C code.

        bits 64
        default rel

        extern  ImageBase
        extern  _DYNAMIC
        extern  image_relocate
        extern  efi_main

        section .text

        global image_start:function hidden
image_start:
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
        ret

        ; The firmware's loader moves only an image with a relocation table. This one has a single
        ; entry that does nothing: image_relocate does the work.
        section .reloc progbits alloc noexec nowrite align=4
        dd      0, 12
        dw      0, 0

        section .note.GNU-stack noalloc noexec nowrite progbits
