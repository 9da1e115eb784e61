/* What an overhead table is made of: the kernel, its lanes, what is done already. */
#ifndef HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_JOB_H
#define HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_JOB_H

#include "harness/configure/config.h"
#include "harness/judge/measured_core.h"
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

#endif
