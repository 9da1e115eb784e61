/* Exceptions and interrupts in our own context. */
#ifndef BOOT_TRAP_H
#define BOOT_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#define VECTOR_NMI             2
#define VECTOR_UD              6
#define VECTOR_DF              8
#define VECTOR_GP              13
#define VECTOR_MC              18
#define VECTOR_FIRST_INTERRUPT 32
#define VECTOR_WAKE            0xf0 /* wakes a parked core, or tells that its work is done */
#define VECTOR_TIMER           0xf1 /* the boot processor's, while it waits (quiet.h) */
#define VECTOR_SPURIOUS        0xff

/* What trap.asm pushes, and the processor before it. */
struct trap_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax;
    uint64_t vector, error;
    uint64_t rip, cs, rflags, rsp, ss;
};

/* A core's last unexpected trap, and what it met besides. */
struct trap_state {
    struct trap_frame frame;
    uint64_t cr2;
    uint64_t nmis, strays; /* not fatal: counted, and told after the work (cores.c) */
    bool called_off;       /* the next NMI ends the core's work as an unexpected trap does */
    bool (*answer)(void *context); /* to an NMI (interrupt.h), null: it is one of `nmis` */
    void *answer_context;
    unsigned fault_vector;  /* of the last access that the fix-up table caught */
    uint64_t landing_stack; /* where an unexpected trap goes on: that stack, */
    void (*landing)(void);  /* that function, which never returns */
};

/* The code of a vector's gate. */
uint64_t trap_stub(unsigned vector);
/* An `error` record: vector, error code, RIP, CR2, core and the general registers of
 * state->frame. */
void trap_report(const struct trap_state *state, unsigned core);
/* The landing of the boot processor: report, last words, plan, machine_end. */
__attribute__((noreturn)) void trap_last_landing(void);

/* What to log when an unexpected trap on the boot processor ends the run: the `end` record, and
 * what still can be said. It is called once, after the `error` record and before the plan. */
void trap_set_last_words(void (*last_words)(void *context), void *context);

/* Whether that has happened: what runs now stands on a stack that is not the firmware's. */
bool trap_has_landed(void);

/* The state of that core (cores.c keeps it). */
struct trap_state *trap_state_of(unsigned core);

#endif
