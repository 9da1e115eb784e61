/* The windows in which every counter of a core counts the same, and what they say. For the first
 * comparison (every_counter.c) and for those in the middle of the run (every_counter_again.c). */
#ifndef HARNESS_SURVEY_EVERY_COUNTER_COUNT_H
#define HARNESS_SURVEY_EVERY_COUNTER_COUNT_H

#include "harness/run/run.h"
#include "harness/window/every_counter_windows.h"
#include "pmu/every_counter.h"

#define CYCLES_COUNTER    1u /* fixed counters */
#define REFERENCE_COUNTER 2u

/* What a reading counted in the first repeat in which it did not agree with most readings. A
 * counter that is off in one of two windows may have gone back. */
struct disagreement {
    int64_t value, agreed, tolerance;
    int64_t low, high; /* of all repeats */
    int64_t nearest;   /* what the best repeat is off by */
};

/* Whether all counters were made to count it. */
enum counted {
    COUNTED,
    NOT_COUNTED, /* the windows failed: measurement.what says why */
    NO_SUCH,     /* this core has no such pass, for the reason *why */
    CORE_LOST,
};

/* Chooses the kernel, and takes the memory. */
void every_counter_begin(struct run_comparison *comparison,
                         const struct run_experiments *experiments);
/* Makes all counters count it, `repeats` times, in comparison->windows. *why: the reason of
 * NOT_COUNTED and NO_SUCH. */
enum counted every_counter_count(struct run_comparison *comparison, struct measured_core *core,
                                 enum every_counter what, unsigned repeats, const char **why);
/* Whether the reading had the value that most readings had, in every repeat. */
bool every_counter_agrees(const struct every_counter_windows *windows, enum every_counter what,
                          unsigned reading, struct disagreement *found);
/* What came of a window of cycles and reference cycles. */
enum counted every_counter_count_reference(struct run_comparison *comparison,
                                           struct measured_core *core);
/* The verdict on a core that was lost in one of these windows; nothing when it was not. */
void every_counter_lost(struct run_verdicts *verdicts, const struct measured_core *core);
/* Whether the window's reference cycles are as many as its cycles and the core's clock make;
 * *expected is how many these are. */
bool every_counter_reference_agrees(const struct every_counter_windows *windows,
                                    uint64_t *expected);

#endif
