/* Exceptions and interrupts while this program's context is loaded. */
#ifndef BOOT_MACHINE_TRAP_H
#define BOOT_MACHINE_TRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "boot/trap_frame.h"

/* So many NMIs that nobody asked for, in one work, end it. A sound machine has none; sampling by
 * NMIs, of which some are spurious, stays far below. */
#define NMI_STORM 10000u

/* An NMI that nobody asked for. */
struct stray_nmi {
    uint64_t rip, tsc; /* of the interrupted code; of the core, then */
    uint8_t port_61;   /* NMI Status and Control Register, see trap_nmi_cause */
};

/* A core's last unexpected trap, and the other traps during its work. */
struct trap_state {
    struct trap_frame frame;
    uint64_t cr2;
    uint64_t nmis, strays; /* that nobody asked for: cores.c logs them after the work */
    uint64_t nmis_told, strays_told;
    struct stray_nmi first_nmi;   /* of those that are not logged yet */
    uint64_t storm_from;          /* of `nmis`: where the storm's count began */
    bool storm;                   /* NMI_STORM of them ended the work */
    bool called_off;              /* the next NMI ends the core's work as an unexpected trap does */
    const uint64_t *ring_0_stack; /* RSP0 of its TSS, where code runs in ring 3 */
    bool ring_3;                  /* an exception ended code in ring 3: `frame` has it */
    bool (*answer)(void *context); /* to an NMI (interrupt.h); null: nobody asked for it */
    void *answer_context;
    uint64_t landing_stack; /* an unexpected trap continues on this stack */
    void (*landing)(void);  /* and in this function, which never returns */
};

/* Makes *state, which the caller keeps, the state of that core. Call it before the core loads this
 * program's context. */
void trap_set_state(unsigned core, struct trap_state *state);
struct trap_state *trap_state_of(unsigned core);

/* An exception in ring 3 ends the code there, as INT VECTOR_LEAVE does, and the core goes on at
 * that address (ring_3.h). */
void trap_lead_out_of_ring_3(uint64_t address);
/* For a handler that found an NMI nobody's: notes it, the interrupted instruction and what port 61H
 * says. True: it is one too many (NMI_STORM), and the count begins anew. */
bool trap_note_nmi(struct trap_state *state, uint64_t rip);
/* What the port says of the cause: "SERR#", "IOCHK#", "SERR# and IOCHK#", or null: neither. Source:
 * the data sheets of Intel's chipsets, "NMI Status and Control Register". */
const char *trap_nmi_cause(uint8_t port_61);
/* Logs the core's NMIs that nobody asked for, with an `error` record, and its stray interrupts,
 * where there are such that are not logged yet. `work` is what the core did then, null: nothing.
 * `since` is a value of its TSC, from which the record counts its time. */
void trap_tell(struct trap_state *state, unsigned core, const char *work, uint64_t since);

/* The address of the code for a vector's gate. */
uint64_t trap_stub(unsigned vector);
/* Adds what is known of a trap to an `error` record: vector, error code where there is one, RIP,
 * the image's base, CR2, the general registers. */
struct json_line;
void trap_describe(struct json_line *record, const struct trap_frame *frame, uint64_t cr2);
/* Logs an `error` record: vector, error code, RIP, CR2, core and the general registers of
 * state->frame, and whether a stack overflowed. */
void trap_report(const struct trap_state *state, unsigned core);

#endif
