/* How a node's share moves over the intervals of a run. Pure. */
#ifndef HARNESS_EXPERIMENT_MULTIPLEX_DRIFT_H
#define HARNESS_EXPERIMENT_MULTIPLEX_DRIFT_H

#include <stdbool.h>

/* Zeroed before the first interval. */
struct drift {
    double lowest, highest;
    double early, late;               /* sums over the first and the second half of the intervals */
    unsigned early_count, late_count; /* intervals with a value */
};

/* Adds the share in interval number `interval` of `intervals`; an interval without a value is left
 * out. */
void drift_add(struct drift *drift, double share, unsigned interval, unsigned intervals);
/* The mean of the second half minus the mean of the first; false: one half has no value. */
bool drift_between_halves(const struct drift *drift, double *difference);

#endif
