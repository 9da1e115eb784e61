/* Windows in which one counter's overflow starts another (pmu/cascade.h). On the core
 * under test; nothing here logs. */
#ifndef HARNESS_EXPERIMENT_CASCADE_CASCADE_WINDOWS_H
#define HARNESS_EXPERIMENT_CASCADE_CASCADE_WINDOWS_H

#include "harness/window/measurement.h"
#include "pmu/cascade.h"

/* The first counter overflows after so many events, in one window and in another. */
#define CASCADE_EARLY 100u
#define CASCADE_LATE  300u

/* Behind them the second counter, stopped, is set to this and read by both forms of RDPMC. */
#define CASCADE_READ 0x123456789aull

/* What a form gives, and the fewest ticks of the TSC that one reading took. */
struct cascade_read {
    bool faults;
    uint64_t value, ticks;
};

struct cascade_windows {
    struct measurement *measurement;
    struct cascade early, late;
    /* What the second counter counted, from the overflow until it was stopped. Windows are of n
     * iterations; that of `twice` is of 2n, and early. */
    uint64_t counted_early, counted_late, counted_twice;
    struct cascade_read full, fast;
    bool done; /* else measurement->what says why not */
};

/* Runs them; for cores_run. The argument is a struct cascade_windows. */
void cascade_windows_work(void *windows);

#endif
