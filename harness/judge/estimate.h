/* What an event would have counted in a whole interval, from the time slices that counted it, and
 * how far the estimate can be trusted. Pure. */
#ifndef HARNESS_ESTIMATE_H
#define HARNESS_ESTIMATE_H

#include "harness/measure/rotation.h"

/* An estimate with a smaller `running`, a larger `uncertainty` or a smaller `share` than these is
 * not reliable. The share does not matter for an event that was counted all the time. */
#define ESTIMATE_RUNNING     0.05
#define ESTIMATE_UNCERTAINTY 0.05
#define ESTIMATE_SHARE       0.01

struct estimate {
    bool valid;
    double running;     /* share of the time in which it was counted, 0..1 */
    double value;       /* its count, scaled to the whole time */
    double share;       /* value / cycles */
    double uncertainty; /* half of the interval that holds the value with 95 % confidence, by what
                           the rates of the time slices differ, relative to the value */
};

/* Invalid when the interval is not complete, or no time slice counted the event. */
struct estimate estimate_event(const struct plan *plan, const struct interval *interval,
                               const struct event *event);
bool estimate_reliable(const struct estimate *estimate);

/* The estimate of a multiplexed run and the count with the event's pass alone. Reliable: and the
 * cycles of the two runs differ by at most ESTIMATE_UNCERTAINTY of the estimate. */
struct multiplexed {
    const struct event *event;
    struct estimate estimate;
    double count, error; /* estimate / count - 1 */
    bool reliable;
};

/* Compares the event's estimate in the rotation's interval with its unmultiplexed count; the
 * rotation is `compared`. False: there is no estimate. */
bool estimate_compare(struct multiplexed *multiplexed, const struct plan *plan,
                      const struct rotation *rotation, const struct event *event);

#endif
