/* Windows in which every counter of a core counts the same (pmu/every_counter.h). On the core
 * under test; nothing here logs. */
#ifndef HARNESS_WINDOW_EVERY_COUNTER_WINDOWS_H
#define HARNESS_WINDOW_EVERY_COUNTER_WINDOWS_H

#include "measurement.h"

#define EVERY_COUNTER_REPEATS 3u

struct every_counter_windows {
    struct measurement measurement;
    struct plan plan; /* of one pass */
    struct pass pass;
    unsigned repeats; /* of windows of n and of 2n, at most EVERY_COUNTER_REPEATS */
    uint64_t counted[EVERY_COUNTER_REPEATS][PLAN_COUNTERS]; /* of each reading: windows of 2n less
                                                               windows of n */
    struct guard_clock clock; /* of the window of reference_window_work; mperf 0: the core has no
                                 such registers */
    bool done;                /* else measurement.what says why not */
};

/* Runs them and puts the registers back; for cores_run. The argument is a struct
 * every_counter_windows with the pass and with the measurement's kernel, facts, registers, n and
 * arena. */
void every_counter_windows_work(void *windows);
/* The same in one window of n, whose counts are in counted[0]: of a pass whose readings are
 * compared with each other and with the core's clock (every_counter_reference_pass). */
void reference_window_work(void *windows);

#endif
