/* What an event would have counted in a whole interval, from the time slices that counted it, and
 * how far the estimate can be trusted. Pure. */
#ifndef HARNESS_EXPERIMENT_MULTIPLEX_ESTIMATE_H
#define HARNESS_EXPERIMENT_MULTIPLEX_ESTIMATE_H

#include "rotation.h"

/* An estimate with a smaller `running` or a smaller `share` than these is not reliable. The share
 * does not matter for an event that was counted all the time. */
#define ESTIMATE_RUNNING 0.05
#define ESTIMATE_SHARE   0.01
/* An estimate is not reliable either where windows of as many iterations retire numbers of
 * instructions that are further apart than this part. A guess: the coins of bs.coinflip make them
 * differ by 0.001, and what is rarer than this changes few counts by ESTIMATE_ERROR. */
#define ESTIMATE_CHANGE 0.02
/* By how much a reliable estimate may be off. */
#define ESTIMATE_ERROR 0.05

struct estimate {
    bool valid;
    const char *why; /* it is not */
    double running;  /* share of the time in which it was counted, 0..1 */
    double value;    /* its count, scaled to the whole time */
    double share;    /* value / cycles */
};

/* Invalid when the interval is not complete, no time slice counted the event, or a counter of it or
 * of the cycles overflowed. */
struct estimate estimate_event(const struct plan *plan, const struct interval *interval,
                               const struct event *event);

/* What the passes that have the event counted of it, in *cycles and *time_slices. */
struct rotated estimate_counted(const struct plan *plan, const struct interval *interval,
                                const struct event *event, double *cycles, unsigned *time_slices);

/* Whether a counter of the core's cycles overflowed in some time slice: by the cycles of all of
 * them each estimate is scaled. */
bool estimate_cycles_overflowed(const struct plan *plan, const struct interval *interval);

/* How many time slices the interval has, of all passes. */
unsigned estimate_slices(const struct plan *plan, const struct interval *interval);

/* The estimate of a multiplexed run, and what counting without multiplexing gives. */
struct multiplexed {
    const struct event *event;
    struct estimate estimate;
    double count;     /* with the event's pass alone, in as many windows as were multiplexed */
    bool error_known; /* count is not 0 */
    double error;     /* estimate / count - 1 */
    bool
        cycles_known; /* all passes count core and reference cycles: the two runs can be compared */
    double uncertainty;     /* what of the error may be chance, or the cycles of two runs that were
                               not alike; 1: that much or more */
    const char *unreliable; /* why the error must not be judged; null: it may be */
    /* What its slices counted, and the windows with its pass alone: told when slices_differ says so
     * of either. */
    bool differ;
    double slice_range[2], alone_range[2]; /* least, most */
};

/* Compares the event's estimate in the rotation's interval with its unmultiplexed count; the
 * rotation is `compared`. False: one of the two does not exist, multiplexed->estimate.why says why.
 */
bool estimate_compare(struct multiplexed *multiplexed, const struct plan *plan,
                      const struct rotation *rotation, const struct event *event);

#endif
