/* From the raw values of a measurement to one number an event, which formulas and expectations use.
 * Pure. */
#ifndef HARNESS_RESULTS_H
#define HARNESS_RESULTS_H

#include <stdbool.h>

#include "harness/plan/experiment.h"
#include "harness/measure/measure.h"
#include "stats.h"

/* One event: what n iterations cost. */
struct tally {
    const struct event *event;
    bool measured;
    const char *reason;              /* why it was not */
    struct signed_spread difference; /* of the repeats of the first pass that counted it */
    double error;  /* that a difference may be off by: of bytes of PERF_METRICS; 0: none */
    bool skewed;   /* its pass's windows took other times than those that the cycles are from */
    bool constant; /* every difference in every pass that counted it was the same */
    int64_t lowest, highest; /* of those */
};

struct results {
    struct tally tallies[PLAN_EVENTS];
    struct count
        counts[PLAN_EVENTS]; /* the same for topdown.h; doubles hold counts below 2^53 exactly */
    unsigned count;
    uint16_t hints[COUNT_HINTS]; /* of tallies and counts */
};

/* Every event of the measurement's plan, measured or missing. An event that stands in several
 * passes (the fixed counters do) is taken from the first that is complete; those of level 1 come
 * first, so their cycles are of their own windows. */
void results_make(struct results *results, const struct measurement *measurement);
const struct tally *results_find(const struct results *results, const char *event);
/* What formulas use: the median difference of an event, or 0 when that cannot be told from nothing.
 * False with *reason when it was not measured, or cannot be what n iterations count. */
bool results_value(const struct results *results, const char *event, double *value,
                   const char **reason);
/* Nothing of it stands, because of that; `reason` lives as long as they do. */
void results_refuse(struct results *results, const char *reason);

#endif
