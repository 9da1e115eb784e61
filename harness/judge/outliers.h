/* Windows that counted what their fellows did not. A median outvotes less than half of its values,
 * whatever they are; but a reader must be told which windows it outvoted, and nothing may be told
 * to rest on repeats of which one is known to be wrong before they were repeated. Pure. */
#ifndef HARNESS_JUDGE_OUTLIERS_H
#define HARNESS_JUDGE_OUTLIERS_H

#include "harness/window/measurement.h"

#define OUTLIERS_KEPT 8

/* By how much a count may differ because of the edges of two windows: by the slots of a few cycles,
 * and in short kernels by a part of their cycles. */
#define EDGE_COUNTS 64
#define EDGE_SHARE  0.02

/* One reading of one window. */
struct outlier {
    const struct event *event;
    bool twice;      /* a window of 2n */
    uint64_t window; /* the core's number of it */
    uint64_t value;  /* what it counted */
    uint64_t middle; /* the median of its fellows, itself included */
};

struct outliers {
    unsigned count;                      /* of readings that lie apart */
    struct outlier first[OUTLIERS_KEPT]; /* the first of them, pass by pass */
};

/* Of the values of one reading. */
struct outlier_limit {
    uint64_t median;
    uint64_t most; /* a value that is further from the median lies apart */
};

/* The limit is 64 counts (the slots of a few cycles at the edges of a window), an eighth of the
 * median, or six times the distance within which half of the values lie, whichever is most; where
 * the reading is a byte of PERF_METRICS also two steps of it. Of the windows of n or of 2n
 * (`twice`) of a complete pass. */
struct outlier_limit outliers_limit(const struct measurement *measurement, unsigned pass,
                                    unsigned reading, bool twice);
/* Whether the value lies apart. */
bool outliers_apart(const struct outlier_limit *limit, uint64_t value);
/* Whether one of that repeat's two windows does. */
bool outliers_repeat_apart(const struct measurement *measurement, unsigned pass, unsigned reading,
                           unsigned repeat);
/* All readings of all complete passes that lie apart; and of an event that the first pass counts,
 * too, a pass whose windows do as a whole (the first of them stands for all). */
void outliers_find(struct outliers *outliers, const struct measurement *measurement);

#endif
