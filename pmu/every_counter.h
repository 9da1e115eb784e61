/* One event on every counter of a core at once: a counter that lies, or that firmware keeps for
 * itself, then differs from the others. Pure. */
#ifndef PMU_EVERY_COUNTER_H
#define PMU_EVERY_COUNTER_H

#include "plan_pass.h"

/* What is counted: what each of the fixed counters counts that formulas rest on. */
enum every_counter {
    EVERY_COUNTER_INSTRUCTIONS, /* fixed counter 0 */
    EVERY_COUNTER_CYCLES,       /* 1 */
    EVERY_COUNTER_SLOTS,        /* 3, where there is one */
    EVERY_COUNTERS
};

/* "instructions". */
const char *every_counter_name(enum every_counter what);
/* Makes the pass that counts it on each general counter that a plan may use and on its fixed
 * counter. Its readings name the counters. Returns null, or why this core has no such pass. */
const char *every_counter_pass(struct pass *pass, const struct facts *facts,
                               enum every_counter what);

/* By how much a count may differ from the one on which most counters agree: instructions by
 * nothing; others by 1 %, since whether all counters begin and end in the same cycle is not
 * published. */
uint64_t every_counter_tolerance(enum every_counter what, uint64_t agreed);
/* Of the counts that the readings of one window gave: the one that is alike to most of them. That
 * of the fixed counter, which is the first reading, where as many are alike to another one. */
uint64_t every_counter_agreed(enum every_counter what, const uint64_t *counts, unsigned count);

#endif
