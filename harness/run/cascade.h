/* Cascading counters, put on trial once for each core that has them. On the boot processor. */
#ifndef HARNESS_RUN_CASCADE_H
#define HARNESS_RUN_CASCADE_H

#include "run.h"

/* After cal.instructions was counted in this lane: both ways of cascading count instructions from
 * an overflow on, and are held against that count. Nothing on other cores, or after other kernels.
 */
void cascade_check(struct run *run, struct lane *lane, const struct experiment *experiment);

#endif
