/* Exceptions and interrupts while this program's context is loaded. */
#ifndef BOOT_TRAP_H
#define BOOT_TRAP_H

#include <stdbool.h>
#include <stdint.h>

/* The interrupted code's registers: from rip on the processor pushed them, the others trap.asm. */
struct trap_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error;
    uint64_t rip, cs, rflags, rsp, ss;
};

/* A core's last unexpected trap, and the other traps during its work. */
struct trap_state {
    struct trap_frame frame;
    uint64_t cr2;
    uint64_t nmis, strays; /* they end no work: cores.c logs the counts after the work */
    bool called_off;       /* the next NMI ends the core's work as an unexpected trap does */
    bool (*answer)(void *context); /* to an NMI (interrupt.h); null: the NMI is one of `nmis` */
    void *answer_context;
    uint64_t landing_stack; /* an unexpected trap continues on this stack */
    void (*landing)(void);  /* and in this function, which never returns */
};

/* Makes *state, which the caller keeps, the state of that core. Call it before the core loads this
 * program's context. */
void trap_set_state(unsigned core, struct trap_state *state);
struct trap_state *trap_state_of(unsigned core);

/* The address of the code for a vector's gate. */
uint64_t trap_stub(unsigned vector);
/* The exception's name, such as "#UD"; null: the vector is that of no exception. */
const char *trap_name(uint64_t vector);
/* Adds what is known of a trap to an `error` record: vector, error code, RIP, the image's base,
 * CR2, the general registers. */
struct json_line;
void trap_describe(struct json_line *record, const struct trap_frame *frame, uint64_t cr2);
/* Logs an `error` record: vector, error code, RIP, CR2, core and the general registers of
 * state->frame. */
void trap_report(const struct trap_state *state, unsigned core);

#endif
