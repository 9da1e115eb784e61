/* What an event would have counted in a whole interval, from the time slices that counted it, and
 * how far the estimate can be trusted. Pure. */
#ifndef HARNESS_ESTIMATE_H
#define HARNESS_ESTIMATE_H

#include "harness/measure/rotation.h"

/* An estimate with a smaller `running` or a smaller `share` than these is not reliable. The share
 * does not matter for an event that was counted all the time. */
#define ESTIMATE_RUNNING 0.05
#define ESTIMATE_SHARE   0.01
/* By how much a reliable estimate may be off. */
#define ESTIMATE_ERROR 0.05

struct estimate {
    bool valid;
    double running; /* share of the time in which it was counted, 0..1 */
    double value;   /* its count, scaled to the whole time */
    double share;   /* value / cycles */
};

/* Invalid when the interval is not complete, or no time slice counted the event. */
struct estimate estimate_event(const struct plan *plan, const struct interval *interval,
                               const struct event *event);

/* The estimate of a multiplexed run, and what counting without multiplexing gives. */
struct multiplexed {
    const struct event *event;
    struct estimate estimate;
    double count;       /* with the event's pass alone, in as many windows as were multiplexed */
    double error;       /* estimate / count - 1 */
    double uncertainty; /* what of the error may be chance, or the cycles of two runs that were
                           not alike; 1: that much or more */
    const char *unreliable; /* why the error must not be judged; null: it may be */
};

/* Compares the event's estimate in the rotation's interval with its unmultiplexed count; the
 * rotation is `compared`. False: there is no estimate. */
bool estimate_compare(struct multiplexed *multiplexed, const struct plan *plan,
                      const struct rotation *rotation, const struct event *event);

#endif
