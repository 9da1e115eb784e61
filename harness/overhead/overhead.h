/* The overhead table of a kernel: how much slower it is while counters count, and while it is
 * sampled, at each period. On the boot processor; the windows run on the cores under test, on all
 * lanes at once. */
#ifndef HARNESS_OVERHEAD_H
#define HARNESS_OVERHEAD_H

#include "harness/configure/config.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/results.h"
#include "overhead_figures.h"
#include "overhead_windows.h"

/* A row that is done. */
struct overhead_done {
    enum overhead_method method;
    uint32_t period;
    struct slowdown slowdown;
};

/* One core's part. */
struct overhead_part {
    struct overhead_step step;
    struct overhead_done done[OVERHEAD_METHODS]; /* the newest of each method, .period 0: none */
};

/* Memory for a run: a part for each lane. */
struct overhead {
    struct overhead_part *parts;
    unsigned count;
};

/* One kernel on the cores of these lanes. */
struct overhead_lane {
    struct measured_core *core;
    struct measurement *measurement; /* how the kernel was counted */
    double cycles,
        taken; /* core cycles and taken branches of measurement->n iterations; 0: not counted */
    const char *blocked; /* why nothing can be measured; null: it can */
};
struct overhead_job {
    struct overhead *overhead;
    const struct config *config;
    struct overhead_lane *lanes; /* as many as overhead->count */
    unsigned count;
    const char *kernel;
    /* Logs a verdict. */
    void (*verdict)(void *context, bool holds, const char *text);
    void *context;
};

/* Whether the kernel has an overhead table when there is memory: it has a map, and the table is
 * asked for. */
bool overhead_wanted(const struct config *config, const char *kernel);
/* Takes the memory for so many lanes. Null: there is not that much, which is logged. */
struct overhead *overhead_take(unsigned lanes);
/* Measures and reports. A core that does not come back is lost. */
void overhead_kernel(const struct overhead_job *job);

#endif
