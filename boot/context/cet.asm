; The firmware's control-flow enforcement (CET): shadow stacks and indirect branch tracking. This
; program's own code knows neither. start.asm switches both off with the first instructions, by
; CR4.CET; the rest of the firmware's settings stays as it is. Around each call of the firmware they
; are on again, and when the image returns.
;
; While they are off no call is on the shadow stack, and the shadow stack pointer stays as it was. So
; firmware_enter, which returns to its caller with them on, puts its own return address there first.
; firmware_leave takes away what is there since then: its own return address, or nothing when it was
; jumped to as the last call of a function. SDM 1, "Control-flow Enforcement Technology (CET)".

        bits 64
        default rel

        extern  cet_control
        extern  crossing_enter
        extern  crossing_leave
        extern  crossing_is_last

IA32_S_CET      equ 0x6a2
SH_STK_EN       equ 1
WR_SHSTK_EN     equ 2                           ; WRSS may write to shadow stacks
CR4_CET_BIT     equ 23

        section .bss

cet_base:       resq 1                          ; the shadow stack pointer outside firmware_enter ..
                                                ;     firmware_leave

        section .text

; The register exists: CR4.CET was set. eax = a set of its low bits to be added to those found.
%macro WRITE_CONTROL 0
        mov     ecx, IA32_S_CET
        mov     edx, [cet_control + 4]
        or      eax, [cet_control]
        wrmsr
%endmacro

        global firmware_enter:function hidden
firmware_enter:
        sub     rsp, 8
        call    crossing_enter
        add     rsp, 8
        test    al, al
        jz      .done
        cmp     qword [cet_control], 0
        je      .done
        test    byte [cet_control], SH_STK_EN
        jz      .switch
        mov     eax, WR_SHSTK_EN
        WRITE_CONTROL
.switch:
        mov     rax, cr4
        bts     rax, CR4_CET_BIT
        mov     cr4, rax
        test    byte [cet_control], SH_STK_EN
        jz      .done
        rdsspq  rax
        mov     [cet_base], rax
        call    .pushed                         ; makes room; a call to the next instruction would not
        ud2
.pushed:
        add     rsp, 8
        mov     rax, [rsp]
        rdsspq  rcx
        wrssq   [rcx], rax
        xor     eax, eax
        WRITE_CONTROL
.done:
        ret

        global firmware_leave:function hidden
firmware_leave:
        sub     rsp, 8
        call    crossing_is_last
        test    al, al
        jz      .plain
        cmp     qword [cet_control], 0
        je      .plain
        test    byte [cet_control], SH_STK_EN
        jz      .switch
        rdsspq  rcx
        mov     rax, [cet_base]
        sub     rax, rcx
        shr     eax, 3
        incsspq rax
.switch:
        mov     rax, cr4
        btr     rax, CR4_CET_BIT
        mov     cr4, rax
.plain:
        call    crossing_leave
        add     rsp, 8
        ret

        section .note.GNU-stack noalloc noexec nowrite progbits
