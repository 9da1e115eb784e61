/* The counters of the sibling thread, over the windows of the measured one: for formulas over a
 * whole core.
 *
 * Only a thread itself can reach its counters, and the sibling is busy with a kernel. So the
 * measured thread interrupts the sibling (an NMI) before and after each window; within the
 * interrupt the sibling starts its counters, or stops and reads them, and then goes on with its
 * kernel. The sibling's window contains the measured window and is longer by two edges: from the
 * sibling's start to the start of the measured window, and from its end to the sibling's end. The
 * edges are as long in a window of n iterations as in a window of 2n, so the difference of the two
 * contains only what the edges vary by. That skew is measured with the time stamp counter, which
 * both threads share. */
#ifndef HARNESS_WINDOW_SIBLING_COUNTERS_H
#define HARNESS_WINDOW_SIBLING_COUNTERS_H

#include "pmu/counters.h"
#include "stats.h"

/* The largest skew, as a part of the measured window, with which sums over both threads are still
 * judged. A share of the core's slots is then off by no more than the sibling's part of the slots
 * times the skew: by 0.01 when each thread has half of them. */
#define SIBLING_SKEW_MAX 0.02

struct sibling_counters {
    /* What to do. */
    unsigned cores[2];         /* the measured thread's number, and the sibling's */
    const struct facts *facts; /* of the sibling */
    /* Between the two threads. An odd request asks for a start, an even one for an end. */
    const struct pass *pass;
    uint32_t requested, done;
    struct raw_counts raw;
    uint64_t started, ended; /* TSC, by the sibling, within its window */
    uint64_t before, after;  /* TSC, by the measured thread, around its own window */
    enum rc rc;              /* of the sibling's part; a failure does not stop its kernel */
    uint32_t at;             /* the register or RDPMC index that failed */
    /* What came of it. */
    /* Lengths of the windows of a pass, in ticks of the TSC. */
    uint64_t measured_ticks[2][STATS_VALUES], sibling_ticks[2][STATS_VALUES];
    double skew; /* by how much the medians of 2n - n differ, as a part of the measured thread's;
                    of the pass with the largest difference */
    unsigned passes; /* that `skew` is of */
    bool edges_only; /* in some pass the windows were nothing but edges: its skew is not known */
};

/* In *skew; false: it is of no pass, or not of every pass. */
bool sibling_counters_skew(const struct sibling_counters *counters, double *skew);

/* On the sibling, before its kernel begins: answers requests from now on. */
void sibling_counters_open(struct sibling_counters *counters);
/* On the sibling, when the measurement is over. */
void sibling_counters_close(void);
/* On the measured thread: the sibling counts by this pass, or has stopped. Returns null, or what
 * went wrong; counters->rc is not RC_OK when it was at counters->at. */
const char *sibling_counters_begin(struct sibling_counters *counters, const struct pass *pass);
const char *sibling_counters_end(struct sibling_counters *counters);
/* On the measured thread, when no guard objects to the last window: *raw is what the sibling
 * counted in it. It is window number `repeat` of n iterations, or of 2n (`twice`). */
void sibling_counters_take(struct sibling_counters *counters, struct raw_counts *raw, bool twice,
                           unsigned repeat);
/* On the measured thread, when `repeats` windows of n and of 2n of the pass were taken: raises
 * counters->skew to the pass's skew if that is larger. */
void sibling_counters_complete(struct sibling_counters *counters, unsigned repeats);

#endif
