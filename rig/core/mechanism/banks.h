/* Banks of the first-level data cache, which two loads of a cycle may want both. */
#ifndef RIG_CORE_MECHANISM_BANKS_H
#define RIG_CORE_MECHANISM_BANKS_H

#include <stdbool.h>
#include <stdint.h>

struct access;
struct model;

struct banks_figures {
    bool conflict; /* of two loads in a cycle one may wait for a bank; loads must be bound to ports
                    */
};

#define BANK_USES 256u /* of two loads that begin as many cycles apart one is forgotten */

/* The first load that begins in a cycle: which bank it reads, and which set. */
struct bank_use {
    uint64_t cycle;
    uint32_t bank, set;
};

struct banks_state {
    struct bank_use uses[BANK_USES]; /* by cycle */
};

/* Keeps the bank for a load that was bound to a port last and begins in the cycle `begun`. Gives
 * the cycle in which the load has its bank: a later one, in which it takes the port again, if
 * another set of that bank is read in `begun`. */
uint64_t banks_turn(struct model *model, const struct access *access, uint64_t begun);

#endif

#ifdef MECHANISM
MECHANISM(banks)
#endif
