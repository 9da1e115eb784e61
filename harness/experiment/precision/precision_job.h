/* What a precision curve is made of: the kernel, its core, where verdicts go. */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_JOB_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_JOB_H

#include "harness/configure/config.h"
#include "harness/judge/measured_core.h"
#include "precision_windows.h"

/* A byte of a point's windows. */
struct precision_byte {
    double share; /* with the reset right before the region, and the same before: the mean */
    double least, most, error; /* `error` is the one that is furthest from 0 */
};

/* A point in numbers. */
struct precision_outcome {
    const struct precision_job *job;
    const struct precision_point *point;
    double ratio[2], bound; /* least and most; most */
    uint64_t slots[2];
    unsigned sum[2];                            /* of all readings that a region's slots precede */
    struct precision_byte bytes[PLAN_COUNTERS]; /* by reading */
    /* The window and byte whose error comes nearest to what it may be; `used`: the part of that. */
    int worst; /* the reading; -1: there is none */
    double worst_error, worst_ratio, allowed, used;
};

/* Memory for a core's curve. */
struct precision {
    struct precision_series series;
    struct precision_outcome outcomes[PRECISION_POINTS];
};

struct precision_job {
    struct precision *precision;
    const struct config *config;
    struct measured_core *core;
    struct measurement *measurement; /* of the kernel, which was counted just now */
    bool own;                        /* the kernel is one of the user's own */
    void (*verdict)(void *context, bool holds, const char *text);
    void *context;
};

#endif
