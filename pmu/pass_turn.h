/* The same pass with its events on other counters: a counter that miscounts for a while then does
 * so for another event in each repeat, and is outvoted. Pure. */
#ifndef PMU_PASS_TURN_H
#define PMU_PASS_TURN_H

#include "plan_pass.h"

/* Of how many general counters the events can change places: all that each of these events may be
 * counted by, as its description says. Below 2: the pass cannot be turned. */
unsigned pass_turns(const struct pass *pass);
/* *turned counts what `pass` counts, its readings in the same order: each event that can change
 * places is `by` places further among the counters of these events. The same registers are written
 * in the same order. */
void pass_turn(struct pass *turned, const struct pass *pass, unsigned by);

#endif
