/* Passes in rotation over a kernel that keeps running: what a profiler does that has more events
 * than counters (multiplexing), and how a long run is watched interval by interval.
 *
 * A slice is one window of n iterations with one pass; slices go through the passes in turn. The
 * time of a slice is what the core's own cycle counter, which stands in every pass, counted in it:
 * an event's estimate is its count times the time of all slices over the time of its own. */
#ifndef HARNESS_ROTATION_H
#define HARNESS_ROTATION_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/plan.h"

#define ROTATION_PASSES 48
/* Slices of each pass in a multiplexed run. */
#define ROTATION_TURNS 8
/* How much longer than a window of the kernel a multiplexed slice is, so that its edges, which are
 * not the kernel's, weigh little. */
#define ROTATION_LONGER 8
/* Longest interval run. */
#define ROTATION_INTERVALS 1000

/* What one reading counted in the slices of its pass. */
struct rotated {
    double sum;     /* of its counts */
    double squares; /* of count / cycles of each slice */
    double rates;   /* sum of count / cycles */
};

/* One stretch of rotation: a multiplexed run, or an interval. */
struct interval {
    uint64_t first_window, last_window;
    uint64_t begun, ended; /* TSC */
    double cycles;         /* of all slices */
    double pass_cycles[ROTATION_PASSES];
    uint32_t slices[ROTATION_PASSES];
    struct rotated *readings; /* pass * PLAN_COUNTERS + reading */
    bool complete;            /* at least one slice of each pass */
};

struct rotation {
    /* What to do. */
    unsigned intervals;
    unsigned turns;     /* of a stretch; 0: until `ticks` have passed */
    uint64_t ticks;     /* of the TSC */
    uint64_t n;         /* iterations of a slice */
    bool unmultiplexed; /* then every pass over all slices, for comparison */
    /* What came of it. */
    struct interval *interval;
    unsigned done;
    double
        *whole; /* pass * PLAN_COUNTERS + reading: counts of as many slices with that pass alone */
    bool compared; /* `whole` is complete */
};

struct measurement;
/* On the core under test, after the measurement's own passes. False: a register failed, or too many
 * windows were disturbed; what is done stays. */
bool rotation_run(struct measurement *measurement, struct rotation *rotation);
/* The reading of the core's own cycles in that pass, or -1: the core counts none, and nothing can
 * be scaled. Pure. */
int rotation_cycles(const struct pass *pass);

/* An event over a interval. Pure. */
struct estimate {
    bool valid;
    double running;     /* share of the time that it was counted, 0..1 */
    double value;       /* scaled to the whole time */
    double share;       /* value / cycles */
    double uncertainty; /* two standard errors of the value from slice to slice, relative */
};
/* Marked unreliable below. */
#define ESTIMATE_RUNNING     0.05
#define ESTIMATE_UNCERTAINTY 0.05
#define ESTIMATE_SHARE       0.01 /* counts for each cycle; none at all is less than that */
struct estimate rotation_estimate(const struct plan *plan, const struct interval *interval,
                                  const struct event *event);
bool rotation_reliable(const struct estimate *estimate);

/* An event of a multiplexed run beside its count with its pass alone. */
struct multiplexed {
    const struct event *event;
    struct estimate estimate;
    double count, error; /* estimate / count - 1 */
    bool reliable;
};

/* A node over the intervals. */
struct drift {
    double lowest, highest;
    double early, late; /* sums over the first and the second half */
    unsigned count, early_count, late_count;
};

#endif
