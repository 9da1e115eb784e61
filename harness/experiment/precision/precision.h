/* How precise the bytes of PERF_METRICS are by how long the last reset is past: SLOTS and
 * PERF_METRICS are read at two points of a running region, and subtracted (doc/metrics.md). On the
 * boot processor. */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_H

#include "precision_job.h"

/* Whether this kernel has a curve. */
bool precision_wanted(const struct config *config, const struct kernel *kernel);
/* The memory for a curve. Null: there is none, which is logged. */
struct precision *precision_take(void);
/* Measures and reports. A core that does not come back is lost. */
void precision_kernel(const struct precision_job *job);

#endif
