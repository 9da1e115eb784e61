/* Slices of a rotation that counted what the others did not. Passes in rotation are measured once,
 * so no repeat outvotes a wrong window: a reader is told that there is one. Pure. */
#ifndef HARNESS_EXPERIMENT_MULTIPLEX_SLICES_H
#define HARNESS_EXPERIMENT_MULTIPLEX_SLICES_H

#include "rotation.h"

/* What the windows of an interval counted of an event. */
struct slices {
    double least, most;
    uint64_t measured; /* the median of the measurement's windows of as many iterations */
};

/* Whether some window of the interval lies apart from the measurement's own windows of n iterations
 * (outliers_limit), which are as long as an interval's: in some pass that counts the event. *slices
 * is of all such passes. False, too, where the interval or the measurement has no count of it. */
bool slices_apart(struct slices *slices, const struct measurement *measurement,
                  const struct interval *interval, const struct event *event);
/* Whether the least and the most of the `count` windows are further apart than the edges of a
 * window, an eighth of their mean, or `rounding` allow: from the mean they are less far where half
 * of the windows are wrong. False when the counter overflowed. */
bool slices_differ(const struct rotated *rotated, unsigned count, double rounding);

#endif
