/* Last step of the set-up: memory. */
#ifndef HARNESS_SETUP_SETUP_MEMORY_H
#define HARNESS_SETUP_SETUP_MEMORY_H

#include "harness/run/run.h"

/* The memory that all kernels share; after the survey of the cores. False: nothing can be measured,
 * because there is not enough memory, which is logged, or because the run is refused. */
bool setup_memory(struct run *run);

#endif
