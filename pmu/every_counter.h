/* One event on every counter of a core at once: a counter that lies, or that firmware keeps for
 * itself, then differs from the others. Pure. */
#ifndef PMU_EVERY_COUNTER_H
#define PMU_EVERY_COUNTER_H

#include "plan_pass.h"

/* Makes the pass that counts retired instructions on each general counter that a plan may use and
 * on fixed counter 0. Its readings name the counters. Returns null, or why this core has no such
 * pass. */
const char *every_counter_pass(struct pass *pass, const struct facts *facts);

/* Of the counts that the readings of one window gave: the value that most of them have. Where
 * two values are as frequent: that of the first reading, fixed counter 0. */
uint64_t every_counter_agreed(const uint64_t *counts, unsigned count);

#endif
