/* The overhead table of a kernel: how much slower it is while counters count, and while it is
 * sampled, at each period. On the boot processor; the windows run on the cores under test, on all
 * lanes at once. */
#ifndef HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_H
#define HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_H

#include "overhead_job.h"

/* Whether the kernel has an overhead table when there is memory: it has a map, and the table is
 * asked for. */
bool overhead_wanted(const struct config *config, const char *kernel);
/* Takes the memory for so many lanes. Null: there is not that much, which is logged. */
struct overhead *overhead_take(unsigned lanes);
/* Measures and reports. A core that does not come back is lost. */
void overhead_kernel(const struct overhead_job *job);

#endif
