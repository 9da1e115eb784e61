; The first instruction of the loader, and its way from four levels of paging to five: CR4.LA57 may only change while
; paging is off (Intel SDM volume 3A, "Enabling Paging-Mode Changes" in "Paging Modes and Control Bits"), and paging may
; only be switched off outside 64-bit mode. All of it, and the stack, must be below 4 GiB, where address and physical
; address are the same.

        default rel

        extern  efi_main

CR0_PG          equ 1 << 31
CR4_LA57        equ 1 << 12
SELECT_CODE32   equ 8
SELECT_CODE64   equ 16
SELECT_DATA     equ 24

        section .text
        bits 64

        global image_start:function hidden
image_start:
        sub     rsp, 40
        call    efi_main
        add     rsp, 40
        ret

; rcx = the root of five levels, below 4 GiB. The convention of the firmware; segment registers and the flags are as
; before.
        global five_levels:function hidden
five_levels:
        push    rbx
        push    rbp
        push    rsi
        push    rdi
        push    r12
        push    r13
        push    r14
        push    r15
        pushfq
        cli
        mov     ax, cs
        mov     [old_cs], rax
        mov     ax, ss
        mov     [old_ss], rax
        mov     ax, ds
        mov     [old_ds], rax
        sgdt    [old_gdt]
        lea     rax, [gdt]
        mov     [new_gdt + 2], rax
        lgdt    [new_gdt]
        mov     [old_rsp], rsp
        mov     ebx, ecx
        lea     rsi, [.long]
        lea     rax, [.compatible]
        push    SELECT_CODE32
        push    rax
        o64 retf

        bits 32
.compatible:
        mov     eax, SELECT_DATA
        mov     ss, ax
        mov     ds, ax
        mov     eax, cr0
        and     eax, ~CR0_PG
        mov     cr0, eax
        mov     eax, cr4
        or      eax, CR4_LA57
        mov     cr4, eax
        mov     cr3, ebx
        mov     eax, cr0
        or      eax, CR0_PG
        mov     cr0, eax                        ; EFER.LME is still set
        push    SELECT_CODE64
        push    esi
        retf

        bits 64
.long:
        mov     rsp, [old_rsp]
        lgdt    [old_gdt]
        mov     rax, [old_ss]
        mov     ss, ax
        mov     rax, [old_ds]
        mov     ds, ax
        push    qword [old_cs]
        lea     rax, [.back]
        push    rax
        o64 retf
.back:
        popfq
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rdi
        pop     rsi
        pop     rbp
        pop     rbx
        ret

        section .data align=16
gdt:
        dq      0
        dq      0x00cf9b000000ffff              ; 32-bit code of 4 GiB
        dq      0x00af9b000000ffff              ; 64-bit code
        dq      0x00cf93000000ffff              ; data
new_gdt:
        dw      $ - gdt - 1
        dq      0
old_gdt:
        dw      0
        dq      0
        align 8
old_rsp:        dq      0
old_cs:         dq      0
old_ss:         dq      0
old_ds:         dq      0

        ; The firmware's loader moves only an image with a relocation table. The code needs none.
        section .reloc progbits alloc noexec nowrite align=4
        dd      0, 12
        dw      0, 0

        section .note.GNU-stack noalloc noexec nowrite progbits
