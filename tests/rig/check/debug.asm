; Code whose every address matters: single-stepping, and the last branch before an exception.
bits 64
default rel
section .text

; Sets TF; the first #DB is behind the instruction after POPFQ. Clears it again by POPFQ, behind which is the last one.
global check_stepped, step_1, step_2, step_taken, step_4, step_5, step_6, step_7, step_far, step_9, step_10, step_last
check_stepped:
    pushfq
    or qword [rsp], 0x100
    popfq
    xor eax, eax
step_1:
    jz step_taken               ; taken
step_2:
    ud2
step_taken:
    jnz step_2                  ; not taken
step_4:
    rdtsc                       ; one that the emulator does not run itself
step_5:
    nop
step_6:
    jmp step_far
step_7:
    ud2
step_far:
    pushfq
step_9:
    and qword [rsp], ~0x100
step_10:
    popfq
step_last:
    ret

; A jump, then a fault behind it.
global check_last_fault, last_fault_from, last_fault_to
check_last_fault:
    nop
last_fault_from:
    jmp last_fault_to
    ud2
last_fault_to:
    nop
    ud2
    ret

; A jump, then INT 0x41, which is itself no branch before its handler.
global check_last_int, last_int_from, last_int_to
check_last_int:
    nop
last_int_from:
    jmp last_int_to
    ud2
last_int_to:
    int 0x41
    ret

; An interrupt that waits comes behind the instruction after STI, a jump; and behind one that is not taken.
global check_last_interrupt, last_interrupt_from, last_interrupt_to, check_untaken
check_last_interrupt:
    sti
last_interrupt_from:
    jmp last_interrupt_to
    ud2
last_interrupt_to:
    cli
    ret
check_untaken:
    xor eax, eax
    sti
    jnz check_untaken
    cli
    ret
section .note.GNU-stack noalloc noexec nowrite progbits
