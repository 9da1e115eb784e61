/* Banks of the first-level data cache, which two loads of a cycle may want both. */
#ifndef RIG_CORE_PIPELINE_BANKS_H
#define RIG_CORE_PIPELINE_BANKS_H

#include "core/cycle/state.h"

/* Keeps the bank for a load that was bound to a port last and begins in the cycle `begun`. Gives
 * the cycle in which the load has its bank: a later one, in which it takes the port again, if
 * another set of that bank is read in `begun`. */
uint64_t banks_turn(struct model *model, const struct access *access, uint64_t begun);

#endif
