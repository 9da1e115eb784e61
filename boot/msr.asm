; The accesses of msr.h. Each instruction that may fault has an entry in the fix-up table: the
; address of the instruction, and the address at which execution continues after a fault.

        bits 64
        default rel

%macro MAY_FAULT 1                              ; the instruction; after a fault: .fault
%%here: %1
        section fixups progbits alloc noexec nowrite align=4
        dd      %%here - $
        dd      .fault - $
        section .text
%endmacro

        section .text

        global msr_read:function hidden
msr_read:                                       ; in: edi = register, rsi = where to; out: al
        mov     ecx, edi
        MAY_FAULT rdmsr
        shl     rdx, 32
        mov     eax, eax
        or      rax, rdx
        mov     [rsi], rax
        mov     eax, 1
        ret
.fault: xor     eax, eax
        ret

        global msr_write:function hidden
msr_write:                                      ; in: edi = register, rsi = value; out: al
        mov     ecx, edi
        mov     eax, esi
        mov     rdx, rsi
        shr     rdx, 32
        MAY_FAULT wrmsr
        mov     eax, 1
        ret
.fault: xor     eax, eax
        ret

        global rdpmc_read:function hidden
rdpmc_read:                                     ; in: edi = index, rsi = where to; out: al
        mov     ecx, edi
        MAY_FAULT rdpmc
        shl     rdx, 32
        mov     eax, eax
        or      rax, rdx
        mov     [rsi], rax
        mov     eax, 1
        ret
.fault: xor     eax, eax
        ret

        global dr7_write:function hidden
dr7_write:                                      ; in: rdi = value
        MAY_FAULT {mov dr7, rdi}
        ret
.fault: mov     dr7, rdi
        ret

        global cpuid_read:function hidden
cpuid_read:                                     ; in: edi = leaf, esi = subleaf; out: rdx:rax
        push    rbx
        mov     eax, edi
        mov     ecx, esi
        cpuid
        shl     rbx, 32
        mov     eax, eax
        or      rax, rbx                        ; eax, ebx
        shl     rdx, 32
        mov     ecx, ecx
        or      rdx, rcx                        ; ecx, edx
        pop     rbx
        ret

        global xcr0_read:function hidden
xcr0_read:
        xor     ecx, ecx
        xgetbv
        shl     rdx, 32
        or      rax, rdx
        ret

        section .note.GNU-stack noalloc noexec nowrite progbits
