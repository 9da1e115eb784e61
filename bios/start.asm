; The first instruction on a board without UEFI: GRUB loads this program at 1 MiB and enters it in
; 32-bit protected mode (Multiboot2 specification, "I386 machine state": eax = magic, ebx = boot
; information, paging and interrupts off). Maps the first 4 GiB, enters 64-bit mode and calls
; bios_main.

MAGIC           equ 0x36d76289                  ; what a Multiboot2 loader puts into eax
HEADER_MAGIC    equ 0xe85250d6
ARCHITECTURE    equ 0                           ; i386

CR0_MP          equ 1 << 1
CR0_EM          equ 1 << 2
CR0_WP          equ 1 << 16
CR0_PG          equ 1 << 31
CR4_PAE         equ 1 << 5
CR4_OSFXSR      equ 1 << 9
CR4_OSXMMEXCPT  equ 1 << 10
IA32_EFER       equ 0xc0000080
EFER_LME        equ 1 << 8
LONG_MODE       equ 1 << 29                     ; CPUID leaf 80000001H, EDX

PRESENT         equ 1 << 0
WRITABLE        equ 1 << 1
LARGE           equ 1 << 7

VGA_TEXT        equ 0xb8000
COM1            equ 0x3f8

        extern  bios_main

        section .multiboot progbits alloc noexec nowrite align=8
header:
        dd      HEADER_MAGIC, ARCHITECTURE, header_end - header
        dd      -(HEADER_MAGIC + ARCHITECTURE + (header_end - header)) & 0xffffffff
        dw      0, 0                            ; the end of the list of tags
        dd      8
header_end:

        bits 32
        section .text

        global bios_start:function
bios_start:
        cld
        mov     esp, stack_end
        cmp     eax, MAGIC
        mov     esi, not_multiboot
        jne     stop
        mov     edi, ebx
        call    has_long_mode
        mov     esi, not_64_bit
        jz      stop
        call    map_4_gib

        mov     eax, cr4
        or      eax, CR4_PAE | CR4_OSFXSR | CR4_OSXMMEXCPT
        mov     cr4, eax
        mov     eax, level_4
        mov     cr3, eax
        mov     ecx, IA32_EFER
        rdmsr
        or      eax, EFER_LME
        wrmsr
        mov     eax, cr0
        and     eax, ~CR0_EM
        or      eax, CR0_PG | CR0_WP | CR0_MP
        mov     cr0, eax
        lgdt    [gdt_pointer]
        jmp     0x08:.long

        bits 64
.long:
        mov     eax, 0x10
        mov     ds, eax
        mov     es, eax
        mov     ss, eax
        xor     eax, eax
        mov     fs, eax
        mov     gs, eax
        fninit
        lidt    [idt_pointer]
        mov     edi, edi                        ; the boot information, zero-extended
        call    bios_main
.halt:
        cli
        hlt
        jmp     .halt

        bits 32
; ZF: the processor has no 64-bit mode, or no CPUID at all.
has_long_mode:
        pushfd
        pop     eax
        mov     ecx, eax
        xor     eax, 1 << 21                    ; EFLAGS.ID can be changed where CPUID exists
        push    eax
        popfd
        pushfd
        pop     eax
        xor     eax, ecx
        test    eax, 1 << 21
        jz      .done
        mov     eax, 0x80000000
        cpuid
        cmp     eax, 0x80000001
        jb      .none
        mov     eax, 0x80000001
        cpuid
        test    edx, LONG_MODE
.done:
        ret
.none:
        xor     eax, eax
        ret

; Identity map in pages of 2 MiB, which every processor with 64-bit mode has.
map_4_gib:
        push    edi
        mov     dword [level_4], level_3 + (PRESENT | WRITABLE)
        mov     eax, level_2 + (PRESENT | WRITABLE)
        xor     ecx, ecx
.next_gib:
        mov     [level_3 + ecx * 8], eax
        add     eax, 4096
        inc     ecx
        cmp     ecx, 4
        jb      .next_gib
        mov     eax, PRESENT | WRITABLE | LARGE
        xor     ecx, ecx
.next_page:
        mov     [level_2 + ecx * 8], eax
        add     eax, 2 << 20
        inc     ecx
        cmp     ecx, 4 * 512
        jb      .next_page
        pop     edi
        ret

; Says esi on the screen and on COM1, and halts.
stop:
        mov     edi, VGA_TEXT
.next:
        lodsb
        test    al, al
        jz      .halt
        mov     ah, 0x0f
        stosw
        mov     edx, COM1
        out     dx, al
        mov     ecx, 100000                     ; a byte at 115200 baud takes 87 us
.wait:
        pause
        loop    .wait
        jmp     .next
.halt:
        cli
        hlt
        jmp     .halt

        section .rodata
not_multiboot:
        db      "slotscope: the loader is no Multiboot2 loader", 0
not_64_bit:
        db      "slotscope: this processor has no 64-bit mode; nothing can be measured", 0

        align   8
gdt:    dq      0
        dq      0x00af9b000000ffff              ; 08H: 64-bit code
        dq      0x00cf93000000ffff              ; 10H: data
gdt_pointer:
        dw      $ - gdt - 1
        dd      gdt
        dd      0
; Before the image has its own table any trap resets the machine.
idt_pointer:
        dw      0
        dq      0

        section .bss nobits alloc noexec write align=4096
level_4:        resb 4096
level_3:        resb 4096
level_2:        resb 4 * 4096
stack:          resb 64 * 1024
stack_end:

        section .note.GNU-stack noalloc noexec nowrite progbits
