/* The sibling thread's counters over the windows of the measured one, for formulas over a whole
 * core.
 *
 * Only a thread itself can reach its counters, and the sibling is busy with a kernel. So the
 * measured thread interrupts it (an NMI) before and after each window; the sibling starts, or stops
 * and takes, its counters within the interrupt and goes on. Its window holds the other's whole, and
 * is longer by two edges: from its start to the other's, and from the other's end to its own. They
 * are as long in a window of n iterations as in one of 2n, so the difference does not hold them but
 * for what they vary by; that is measured with the time stamp counter, which both threads share. */
#ifndef HARNESS_SIBLING_COUNTERS_H
#define HARNESS_SIBLING_COUNTERS_H

#include "measure.h"
#include "harness/judge/stats.h"

/* What the two windows may differ by, as a part of the measured one, before nothing is said of the
 * core. A share of the core's slots is off by no more than the sibling's part of them times that:
 * by 0.01 when each thread has half of them. */
#define SIBLING_SKEW_MAX 0.02

struct sibling_counters {
    /* What to do. */
    unsigned cores[2];           /* the measured thread and the sibling, in boot/machine/cores.h */
    struct measurement *sibling; /* its facts, registers and counts; the plan is that of the
                                    measured thread */
    /* Between the two threads. An odd number asks for a start, an even one for an end. */
    const struct pass *pass;
    uint32_t asked, done;
    struct raw_counts raw;
    uint64_t started, ended; /* TSC, by the sibling, within its window */
    uint64_t before, after;  /* by the measured thread, around its own */
    enum rc rc;              /* of the sibling's part, which goes on when it failed */
    uint32_t at;             /* the register or index where it did */
    /* What came of it. */
    /* Lengths of the windows of a pass, in ticks of the TSC. */
    uint64_t measured_ticks[2][STATS_VALUES], sibling_ticks[2][STATS_VALUES];
    double skew; /* the most, over passes, that medians of 2n - n differ by, as a part of the
                    measured thread's */
};

/* On the sibling, before it begins: keeps its registers and answers from now on. False: a register
 * failed, and counters->sibling says which. */
bool sibling_counters_open(struct sibling_counters *counters);
/* On the sibling, when the measurement is over. */
void sibling_counters_close(void);
/* On the measured thread: the sibling counts by this pass; it has stopped. False: it did not, and m
 * says why. */
bool sibling_counters_begin(struct measurement *m, const struct pass *pass);
bool sibling_counters_end(struct measurement *m);
/* On the measured thread: the last window was good, keeps what the sibling counted in it. */
void sibling_counters_keep(struct sibling_counters *counters, bool twice, unsigned repeat);
/* All windows of the pass were kept. */
void sibling_counters_complete(struct sibling_counters *counters, unsigned repeats);
/* Adds what the sibling counted to what the measured thread did, window by window. */
void sibling_counters_add(struct measurement *to, const struct measurement *from);

#endif
