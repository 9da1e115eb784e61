/* What a trap left on the stack, and what it is called. Pure. */
#ifndef BOOT_TRAP_FRAME_H
#define BOOT_TRAP_FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* The interrupted code's registers: from rip on the processor pushed them, the others trap.asm. */
struct trap_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error; /* TRAP_NO_ERROR_CODE: none was pushed */
    uint64_t rip, cs, rflags, rsp, ss;
};
#define TRAP_NO_ERROR_CODE UINT64_MAX

/* Whether it has the vector of an exception that pushes an error code, and none was pushed: INT n
 * raised it, or an interrupt that has this vector. RIP is that of the next instruction. */
bool trap_is_no_exception(const struct trap_frame *frame);
#define TRAP_WORDS 48
/* "#UD", "INT 13 or interrupt 13", or "vector 241". Returns `text`. */
const char *trap_words(const struct trap_frame *frame, char text[TRAP_WORDS]);

#endif
