; The handler of performance-monitoring interrupts. It works off the core's struct pmi_program
; (pmi.h); an interrupt that is not the program's own goes on to the vector's stub (trap.asm) when it
; is an NMI, and is counted when it is not.
;
; Until the writes of `stop` are done, and after the last write of `resume`, no branch is taken but
; the IRETQ: else branch records would show the handler.

        bits 64
        default rel

SELECTOR_TSS    equ 0x30                        ; context.h: of core 0, 16 bytes further for each core
SAVED           equ 7                           ; registers pushed below the interrupted RIP

        ; struct pmi_program
        struc program
.status_msr:    resq 1
.status_flip:   resq 1
.status_bits:   resq 1
.counter_msr:   resq 1
.enable_msr:    resq 1
.enable_value:  resq 1
.reads:         resq 1
.read_count:    resq 1
.record:        resq 1
.record_end:    resq 1
.preset:        resq 1
.left:          resq 1
.closed:        resq 1
.interrupts:    resq 1
.foreign:       resq 1
.full:          resq 1
.cut_off:       resq 1
.lvt_address:   resq 1
.lvt_value:     resq 1
.end_address:   resq 1
.unused:        resq 1
.end:           resq 9
.stop:          resq 9
.clear:         resq 9
.resume:        resq 9
        endstruc

        extern  pmi_programs
        extern  pmi_stubs

; The writes of a list; changes rax, rcx, rdx, rsi, rbp.
%macro WRITE_ALL 1
        mov     rsi, [rbx + program.%1]
        lea     rbp, [rbx + program.%1 + 8]
        test    rsi, rsi
        jz      %%done
%%next: mov     ecx, [rbp]
        mov     eax, [rbp + 8]
        mov     edx, [rbp + 12]
        wrmsr
        add     rbp, 16
        dec     rsi
        jnz     %%next
%%done:
%endmacro

; Takes interrupts again, and counts on unless the window is over: then it goes to %1.
%macro RESUME 1
        mov     rcx, [rbx + program.lvt_address]
        mov     eax, [rbx + program.lvt_value]
        mov     [rcx], eax
        WRITE_ALL resume
        cmp     qword [rbx + program.closed], 0
        jne     %1
        mov     ecx, [rbx + program.enable_msr]
        mov     eax, [rbx + program.enable_value]
        mov     edx, [rbx + program.enable_value + 4]
        wrmsr
%endmacro

%macro RESTORE 0
        pop     rbp
        pop     rdi
        pop     rsi
        pop     rbx
        pop     rdx
        pop     rcx
        pop     rax
%endmacro

; %1: 1 for the NMI's gate, 0 for the fixed interrupt's
%macro HANDLER 1
        push    rax
        push    rcx
        push    rdx
        push    rbx
        push    rsi
        push    rdi
        push    rbp
        xor     eax, eax
        str     ax
        shr     eax, 1                          ; 8 bytes for each core
        lea     rbx, [pmi_programs]
        mov     rbx, [rbx + rax - SELECTOR_TSS / 2]
        test    rbx, rbx
        jz      .chain
        inc     qword [rbx + program.interrupts]
        WRITE_ALL stop

        mov     ecx, [rbx + program.status_msr]
        rdmsr
        shl     rdx, 32
        or      rax, rdx
        mov     rdx, rax
        xor     rdx, [rbx + program.status_flip]
        test    rdx, [rbx + program.status_bits]
        jz      .foreign
        dec     qword [rbx + program.left]
        js      .cut_off

        mov     rdi, [rbx + program.record]
        cmp     rdi, [rbx + program.record_end]
        jae     .full
        mov     [rdi + 8], rax
        mov     rax, [rsp + 8 * SAVED]
        mov     [rdi], rax
        add     rdi, 16
        mov     rsi, [rbx + program.reads]
        mov     rbp, [rbx + program.read_count]
.read:
        mov     ecx, [rsi]
        rdmsr
        mov     [rdi], eax
        mov     [rdi + 4], edx
        add     rsi, 4
        add     rdi, 8
        dec     rbp
        jnz     .read
        mov     [rbx + program.record], rdi

        WRITE_ALL clear
        mov     rsi, [rbx + program.preset]
        mov     ecx, [rbx + program.counter_msr]
        mov     eax, [rsi]
        mov     edx, [rsi + 4]
        add     rsi, 8
        mov     [rbx + program.preset], rsi
        wrmsr
.resume:
        mov     rcx, [rbx + program.end_address]
        mov     dword [rcx], 0
        WRITE_ALL end
        RESUME  .leave
.leave:
        RESTORE
        iretq

.full:                                          ; this window takes no more samples
        inc     qword [rbx + program.full]
        mov     qword [rbx + program.closed], 1
        WRITE_ALL clear
        jmp     .resume

.cut_off:                                       ; the LVT entry stays as the interrupt left it: masked
        inc     qword [rbx + program.cut_off]
        mov     qword [rbx + program.closed], 1
        WRITE_ALL clear
        mov     rcx, [rbx + program.end_address]
        mov     dword [rcx], 0
        WRITE_ALL end
        jmp     .leave

.foreign:
        inc     qword [rbx + program.foreign]
        dec     qword [rbx + program.left]
        js      %%too_many
    %if %1
        RESUME  .chain
        jmp     .chain
%%too_many:
        inc     qword [rbx + program.cut_off]
        mov     qword [rbx + program.closed], 1
    %else
        jmp     .resume
%%too_many:
        jmp     .cut_off
    %endif
.chain:
        RESTORE
        jmp     [pmi_stubs + 8 * (1 - %1)]
%endmacro

        section .text

        global pmi_nmi:function hidden
        align   16
pmi_nmi:
        HANDLER 1

        global pmi_fixed:function hidden
        align   16
pmi_fixed:
        HANDLER 0

        section .note.GNU-stack noalloc noexec nowrite progbits
