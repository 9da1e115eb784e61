; The first code of a started application processor, in real mode, on the page below 1 MiB that the
; start-up IPI names. cores_start.c copies it there and fills in struct trampoline_data at its end.
; The processors write nothing in the page, so any number of them may run here at the same time, and
; a processor that starts late does no harm.

        section .text

        global trampoline_start:data hidden
        global trampoline_protected:data hidden
        global trampoline_long:data hidden
        global trampoline_data:data hidden
        global trampoline_end:data hidden

%define AT(label) (label - trampoline_start)    ; its offset in the page

IA32_EFER       equ 0xc0000080
CR0_RUNNING     equ 0x80000033                  ; PG, NE, ET, MP, PE; CD, NW, EM and TS off
CODE_32         equ 0x08                        ; selectors of data.gdt
CODE_64         equ 0x10
DATA            equ 0x18

        align   16
        bits 16
trampoline_start:
        cli
        cld
        mov     ax, cs
        mov     ds, ax
        xor     ebx, ebx
        mov     bx, ax
        shl     ebx, 4                          ; ebx = linear address of this page
        o32 lgdt [AT(trampoline_data.gdt)]
        mov     eax, cr0
        or      al, 1
        mov     cr0, eax
        jmp     dword far [AT(trampoline_data.to_protected)]

        bits 32
trampoline_protected:
        mov     ax, DATA
        mov     ds, ax
        mov     es, ax
        mov     ss, ax
        mov     eax, [ebx + AT(trampoline_data.cr4)]
        mov     cr4, eax
        mov     eax, [ebx + AT(trampoline_data.cr3)]
        mov     cr3, eax
        mov     ecx, IA32_EFER
        rdmsr
        or      eax, [ebx + AT(trampoline_data.efer)]
        wrmsr
        mov     eax, CR0_RUNNING
        mov     cr0, eax
        jmp     dword far [ebx + AT(trampoline_data.to_long)]

        bits 64
trampoline_long:
        mov     r8d, ebx
        ; the APIC id by CPUID; a processor with another id in the MADT is not found, and halts
        xor     eax, eax
        cpuid
        cmp     eax, 0xb
        jb      .short_id
        mov     eax, 0xb
        xor     ecx, ecx
        cpuid
        test    ebx, 0xffff
        jnz     .have_id                        ; edx
.short_id:
        mov     eax, 1
        cpuid
        mov     edx, ebx
        shr     edx, 24
.have_id:
        mov     rsi, [r8 + AT(trampoline_data.ids)]
        mov     ecx, [r8 + AT(trampoline_data.count)]
        xor     edi, edi
.search:
        cmp     edi, ecx
        jae     .nobody
        cmp     [rsi + rdi * 4], edx
        je      .found
        inc     edi
        jmp     .search
.found:                                         ; rdi = index of the core
        mov     rax, [r8 + AT(trampoline_data.stacks)]
        mov     rsp, [rax + rdi * 8]
        mov     rax, [r8 + AT(trampoline_data.entry)]
        jmp     rax                             ; the stack is as after a CALL; no return
.nobody:
        cli
        hlt
        jmp     .nobody

        align   8
trampoline_data:                                ; struct trampoline_data (trampoline.h)
.cr3:           dd 0
.cr4:           dd 0
.efer:          dd 0
.count:         dd 0
.ids:           dq 0
.stacks:        dq 0
.entry:         dq 0
.to_protected:  dd 0                            ; linear address, then selector
                dw CODE_32
                dw 0
.to_long:       dd 0
                dw CODE_64
                dw 0
.descriptors:   dq 0
                dq 0x00cf9b000000ffff           ; CODE_32
                dq 0x00af9b000000ffff           ; CODE_64
                dq 0x00cf93000000ffff           ; DATA
.gdt:           dw 31
                dd 0                            ; linear address of .descriptors
                dw 0
trampoline_end:

        section .note.GNU-stack noalloc noexec nowrite progbits
