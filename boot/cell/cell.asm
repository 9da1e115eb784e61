; The code of a cell (cell.h): it is copied to each cell, in front of the page with its struct
; cell_control, and runs at that address only. So nothing else of the image is mapped while an own
; kernel runs.
;
; The window is that of harness/window/window.asm: the same five instructions beside the kernel's
; own. What they load comes from the control page, which the kernel cannot write; theirs comes from
; the stack.

        bits 64
        default rel

SPAN            equ 8192                        ; bytes of this code, up to the control page
STUBS           equ 4096                        ; where the stubs begin
%include "boot/machine/trap_stubs.inc"

FLAGS           equ 0x202                       ; interrupts on; the bit that is always 1
FLAGS_OFF       equ 0x002
DATA            equ 0x10                        ; selectors: context.h
USER_DATA       equ 0x23                        ; and of the cell's own table (cell_inside.h)
USER_CODE       equ 0x2b

TRIAL           equ 0                           ; enum cell_mode
PLAIN           equ 1
COLD            equ 3
RETURNED        equ 1                           ; of control.end

        ; struct cell_control (cell_inside.h)
        struc control
.n:             resq 1
.arena:         resq 1
.arena_bytes:   resq 1
.code:          resq 1
.msr:           resq 1
.enable:        resq 1
.disable:       resq 1
.mode:          resq 1
.root:          resq 1
.full_root:     resq 1
.kernel_stack:  resq 1
.trap_stack:    resq 1
.caller_stack:  resq 1
.handler:       resq 1
.returned_stack: resq 1
.end:           resq 1
.gdt:           resb 16
.idt:           resb 16
.caller_gdt:    resb 16
.caller_idt:    resb 16
        endstruc

%define AT(member) cell_text + SPAN + control. %+ member

        ; What a kernel finds in its registers (kernel.inc).
%macro REGISTERS 0
        mov     r10, [AT(code)]
        mov     rdi, [AT(n)]
        mov     rsi, [AT(arena)]
        mov     r8, [AT(arena_bytes)]
        xor     r9d, r9d
%endmacro

%macro SET_FLAGS 1
        push    %1
        popfq
%endmacro

        section .text align=64

        global cell_text:data hidden
        align   64
        ; void cell_text(void): the first byte of a cell
cell_text:
        push    rbx
        push    rbp
        push    r12
        push    r13
        push    r14
        push    r15
        sgdt    [AT(caller_gdt)]
        sidt    [AT(caller_idt)]
        mov     [AT(caller_stack)], rsp
        lgdt    [AT(gdt)]
        lidt    [AT(idt)]
        mov     rax, [AT(root)]
        mov     cr3, rax
        cmp     qword [AT(mode)], TRIAL
        je      .trial
        cmp     qword [AT(mode)], COLD
        je      .counted

        mov     rsp, [AT(kernel_stack)]         ; uncounted: to warm up what the new page tables made cold
        REGISTERS
        SET_FLAGS FLAGS
        call    r10
        cli
        cmp     rsp, [AT(kernel_stack)]
        jne     .returned
        cmp     qword [AT(mode)], PLAIN
        je      .returned

.counted:
        mov     rsp, [AT(kernel_stack)]
        REGISTERS
        mov     ecx, [AT(msr)]
        mov     rax, [AT(enable)]
        mov     rdx, rax
        shr     rdx, 32
        SET_FLAGS FLAGS
        mfence
        lfence
        jmp     .window

        align   64, db 0xcc                     ; the window's own bytes share one line
.window:
        wrmsr                                   ; counting starts
        call    r10                             ; 1
        mov     ecx, [AT(msr)]                  ; 2
        mov     eax, [AT(disable)]              ; 3
        mov     edx, [AT(disable) + 4]          ; 4
        wrmsr                                   ; 5, counting stops

.returned:
        cli
        mov     rbx, rsp
        mov     rax, [AT(full_root)]
        mov     cr3, rax
        mov     [AT(returned_stack)], rbx
        mov     qword [AT(end)], RETURNED
        jmp     .leave

        ; In ring 3. Its return address, which it can read, is that of an UD2 (cell_control.gate).
.trial:
        mov     rsp, [AT(trap_stack)]
        mov     rax, [AT(kernel_stack)]
        sub     rax, 8
        push    USER_DATA
        push    rax
        push    FLAGS
        push    USER_CODE
        REGISTERS
        push    r10
        iretq

        ; The handler continues here, too, with the full page tables.
.leave:
        cli
        mov     rsp, [AT(caller_stack)]
        SET_FLAGS FLAGS_OFF
        lgdt    [AT(caller_gdt)]
        lidt    [AT(caller_idt)]
        mov     eax, DATA
        mov     ds, eax
        mov     es, eax
        mov     ss, eax
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     rbp
        pop     rbx
        ret

        PERHAPS_ERROR_CODE
every_trap:
        cld
        push    rax
        push    rbx
        push    rcx
        push    rdx
        push    rsi
        push    rdi
        push    rbp
        push    r8
        push    r9
        push    r10
        push    r11
        push    r12
        push    r13
        push    r14
        push    r15
        mov     rax, cr3
        push    rax
        push    rax                             ; a second time: the stack stays 16-aligned
        lea     rdi, [rsp + 16]                 ; struct trap_frame
        mov     rsi, rsp                        ; the page tables to go on with
        mov     rax, [AT(full_root)]
        mov     cr3, rax
        call    [AT(handler)]
        pop     rax
        mov     cr3, rax
        pop     rax
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     rbp
        pop     rdi
        pop     rsi
        pop     rdx
        pop     rcx
        pop     rbx
        pop     rax
        add     rsp, 16
        iretq

        times STUBS - ($ - cell_text) db 0xcc
        TRAP_STUBS
        times SPAN - ($ - cell_text) db 0xcc

        section .rodata
        global cell_leave_offset:data hidden
cell_leave_offset:
        dq      cell_text.leave - cell_text

        section .note.GNU-stack noalloc noexec nowrite progbits
