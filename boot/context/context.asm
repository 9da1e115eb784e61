; Saves and loads a processor state. Offsets are those of struct context (context.h).
;
; context_load loads descriptor tables and task register before the page tables. Both contexts' page
; tables map both contexts' descriptor tables; but on the way to the firmware's context only this
; program's page tables surely allow writing the busy bit in the firmware's TSS descriptor.

        bits 64
        default rel
        section .text

CONTEXT_GDT     equ 0
CONTEXT_CS      equ 10
CONTEXT_SS      equ 12
CONTEXT_DS      equ 14
CONTEXT_IDT     equ 16
CONTEXT_ES      equ 26
CONTEXT_TR      equ 28
CONTEXT_CR3     equ 32
CONTEXT_CR4     equ 40
CONTEXT_XCR0    equ 48

CR4_PGE         equ 1 << 7
CR4_OSXSAVE     equ 1 << 18
FEATURE_XSAVE   equ 1 << 26                     ; CPUID leaf 1, ECX

        global context_save:function hidden
context_save:                                   ; in: rdi
        sgdt    [rdi + CONTEXT_GDT]
        sidt    [rdi + CONTEXT_IDT]
        mov     [rdi + CONTEXT_CS], cs
        mov     [rdi + CONTEXT_SS], ss
        mov     [rdi + CONTEXT_DS], ds
        mov     [rdi + CONTEXT_ES], es
        str     ax
        mov     [rdi + CONTEXT_TR], ax
        mov     rax, cr3
        mov     [rdi + CONTEXT_CR3], rax
        mov     rax, cr4
        mov     [rdi + CONTEXT_CR4], rax

        push    rbx
        mov     eax, 1
        cpuid
        pop     rbx
        mov     qword [rdi + CONTEXT_XCR0], 0
        test    ecx, FEATURE_XSAVE
        jz      .done
        mov     rsi, cr4                        ; XGETBV needs OSXSAVE; switching it on and off
        mov     rax, rsi                        ;     again leaves XCR0 as it is
        or      rax, CR4_OSXSAVE
        mov     cr4, rax
        xor     ecx, ecx
        xgetbv
        mov     [rdi + CONTEXT_XCR0], eax
        mov     [rdi + CONTEXT_XCR0 + 4], edx
        mov     cr4, rsi
.done:
        ret

        global context_load:function hidden
context_load:                                   ; in: rdi
        lgdt    [rdi + CONTEXT_GDT]
        movzx   eax, word [rdi + CONTEXT_CS]
        push    rax
        lea     rax, [.reload]
        push    rax
        o64 retf
.reload:
        mov     ss, [rdi + CONTEXT_SS]
        mov     ds, [rdi + CONTEXT_DS]
        mov     es, [rdi + CONTEXT_ES]
        lidt    [rdi + CONTEXT_IDT]

        movzx   eax, word [rdi + CONTEXT_TR]
        test    eax, eax
        jz      .paging
        mov     rdx, [rdi + CONTEXT_GDT + 2]
        and     byte [rdx + rax + 5], 0xfd      ; busy TSS (11) -> available (9): LTR needs it
        ltr     ax
.paging:
        mov     rax, cr4                        ; PGE off: no translation of the other map stays
        and     rax, ~CR4_PGE
        mov     cr4, rax
        mov     rax, [rdi + CONTEXT_CR3]
        mov     cr3, rax
        mov     eax, [rdi + CONTEXT_XCR0]
        mov     edx, [rdi + CONTEXT_XCR0 + 4]
        test    eax, eax
        jz      .cr4
        mov     rcx, [rdi + CONTEXT_CR4]
        or      rcx, CR4_OSXSAVE
        mov     cr4, rcx
        xor     ecx, ecx
        xsetbv
.cr4:
        mov     rax, [rdi + CONTEXT_CR4]
        mov     cr4, rax
        ret

        section .note.GNU-stack noalloc noexec nowrite progbits
