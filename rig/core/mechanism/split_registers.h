/* Split registers: each holds the first half of a load that crosses a cache line until the second
 * half is there. */
#ifndef RIG_CORE_MECHANISM_SPLIT_REGISTERS_H
#define RIG_CORE_MECHANISM_SPLIT_REGISTERS_H

#include <stdint.h>

#define SPLIT_REGISTERS 32u /* the most that a core can have */

struct split_registers_figures {
    uint8_t count; /* loads that cross a line and may be in flight at once; 0: no limit */
};

struct split_registers_state {
    uint64_t free[SPLIT_REGISTERS]; /* from that cycle on */
};

/* The register that is free first: from which cycle on, for the caller to change. */
uint64_t *split_registers_first(const struct split_registers_figures *figures,
                                struct split_registers_state *state);

#endif

#ifdef MECHANISM
MECHANISM(split_registers)
#endif
