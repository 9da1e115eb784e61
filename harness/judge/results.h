/* From the raw values of a measurement to one number for each event, which formulas and
 * expectations use. Pure. */
#ifndef HARNESS_JUDGE_RESULTS_H
#define HARNESS_JUDGE_RESULTS_H

#include "harness/window/measurement.h"
#include "harness/window/stats.h"
#include "pmu/topdown.h"

/* What n iterations cost of one event. */
struct tally {
    const struct event *event;
    bool measured;          /* some pass counted it: counts[] says whether that is a count */
    const char *reason;     /* why it was not */
    unsigned pass, reading; /* where the difference comes from */
    /* 2n - n over the repeats of the first pass that counted it, and without those of which a
     * window lies apart (outliers.h). The median of both is that of the second. */
    struct signed_spread difference, kept;
    unsigned apart; /* repeats that are left out of `kept` */
    bool scattered; /* these are most of them */
    bool single;    /* there is one repeat: no other one shows what it may be off by */
    double error;   /* by how much a PERF_METRICS byte's difference may be off; others: 0 */
    bool skewed;    /* its pass took over 25 % more or fewer cycles than the first pass */
    bool constant;  /* every difference in every pass that counted it was the same */
    int64_t lowest, highest; /* of all these differences */
    uint64_t most[2];        /* the largest count of a window of n, and of 2n, in these passes */
};

struct results {
    struct tally tallies[PLAN_EVENTS];
    /* The tallies as topdown.h takes them; a double holds a count below 2^53 exactly. */
    struct count counts[PLAN_EVENTS];
    unsigned count;
    const struct description *description; /* whose aliases results_find knows; null: none */
    uint16_t hints[COUNT_HINTS];           /* of tallies and counts */
};

/* Every event of the measurement's plan, measured or missing. An event that is counted in several
 * passes (the fixed counters are) is taken from the first complete one. The events of level 1 are
 * in the first pass, so formulas of level 1 use the cycles of their own windows. */
void results_make(struct results *results, const struct measurement *measurement);
/* Of the event that the description calls so, or has as an alias. Null: the plan has no such event.
 */
const struct tally *results_find(const struct results *results, const char *event);
/* The value that formulas use: the median difference of the event, or 0 when that is the noise of
 * the windows' edges. False with *reason: it was not measured, or cannot be what n iterations
 * count. */
bool results_value(const struct results *results, const char *event, double *value,
                   const char **reason);
/* Whether the repeats lie on both sides of 0 and within the edges of windows, so that the value is
 * 0.
 */
bool results_is_noise(const struct tally *tally);
/* Makes event number `number` of the results unmeasured, as results_refuse. */
void results_refuse_event(struct results *results, unsigned number, const char *reason);
/* Makes every event unmeasured for this reason, a text that must outlive the results; one that was
 * not measured keeps its own. */
void results_refuse(struct results *results, const char *reason);

#endif
