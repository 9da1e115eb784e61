/* Passes in rotation while a kernel keeps running: multiplexing, as a profiler does it that has
 * more events than counters, and a long run observed interval by interval.
 *
 * A time slice is one window of n iterations with one pass; time slices go through the passes in
 * turn. How long a time slice took is what the core's own cycle counter, which is part of every
 * pass, counted in it: an event's estimate is its count times the cycles of all time slices over
 * the cycles of the time slices that counted the event.
 *
 * A multiplexed run is compared with windows in which one pass alone counts. They follow turn by
 * turn, and each window of both is rehearsed, so that neither what changes with time nor what the
 * harness did before a window is different in one of the two. They begin at random places: a kernel
 * with phases may keep step with the rotation, and must not keep step with them. */
#ifndef HARNESS_EXPERIMENT_MULTIPLEX_ROTATION_H
#define HARNESS_EXPERIMENT_MULTIPLEX_ROTATION_H

#include "harness/window/measurement.h"

/* Time slices of each pass in a multiplexed run. */
#define ROTATION_TURNS 8
/* Windows of each pass alone after each turn of such a run. */
#define ROTATION_ALONE 2
/* How many times the iterations of the kernel's window a multiplexed time slice has, so that the
 * instructions around the kernel weigh little. */
#define ROTATION_LONGER 8

/* What one reading counted in the windows of its pass. */
struct rotated {
    double sum;         /* of its counts */
    double least, most; /* of its counts */
    bool overflowed;    /* its counter, in some window: the other members are no counts */
};

/* An interval of the kernel's run; a multiplexed run is a single one. */
struct interval {
    uint64_t first_window, last_window;
    uint64_t begun, ended; /* TSC */
    double cycles;         /* of all time slices */
    double pass_cycles[MEASUREMENT_PASSES];
    uint32_t time_slices[MEASUREMENT_PASSES];
    struct rotated *readings; /* pass * PLAN_COUNTERS + reading */
    bool complete;            /* at least one time slice of each pass */
};

struct rotation {
    /* What to do. */
    unsigned intervals;
    unsigned turns;  /* of an interval; 0: until `ticks` have passed */
    uint64_t ticks;  /* of the TSC */
    uint64_t n;      /* iterations of a time slice */
    uint64_t random; /* the state of random numbers, not 0; where `alone` is not 0 */
    unsigned alone;  /* windows of each pass alone after each turn, to compare with; or 0 */
    /* What came of it. */
    struct interval *interval;
    unsigned done;
    struct rotated *whole; /* pass * PLAN_COUNTERS + reading: with that pass alone, in turns * alone
                              windows */
    bool compared;         /* `whole` is complete */
};

/* On the core under test, after the measurement's own passes. False: a register failed, or too many
 * windows were disturbed; the intervals that are done stay. True with no interval done when a pass
 * does not count cycles. */
bool rotation_run(struct measurement *measurement, struct rotation *rotation);
/* The reading of the core's own cycles in that pass, or -1: the pass counts none, and nothing can
 * be scaled. Pure. */
static inline int rotation_cycles(const struct pass *pass)
{
    for (unsigned i = 0; i < pass->reading_count; i++) {
        if (pass->readings[i].kind == READING_FIXED && pass->readings[i].counter == 1)
            return (int)i;
    }
    return -1;
}

#endif
