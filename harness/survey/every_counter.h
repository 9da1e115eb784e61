/* Before anything is planned on a core: do its counters agree? */
#ifndef HARNESS_EVERY_COUNTER_H
#define HARNESS_EVERY_COUNTER_H

#include "harness/run/run.h"

/* Counts retired instructions on every counter of the core at once, with a verdict that they agree,
 * or one for each counter that does not. Plans avoid such a general counter from then on
 * (facts.general_reserved, facts.general_off). A core that does not come back is lost. */
void every_counter_check(struct run *run, struct measured_core *core);

#endif
