/* How many iterations a window needs to last as long as it shall. On the core under test. */
#ifndef HARNESS_MEASURE_WINDOW_LENGTH_H
#define HARNESS_MEASURE_WINDOW_LENGTH_H

#include "harness/window/measurement.h"

struct window_length {
    uint32_t wanted_us; /* at least so long */
    uint32_t most;      /* the largest scale that the kernel allows, at least 1 */
    uint32_t scale;     /* what came of it: 1, 2, 5, 10, 20, 50 ... or `most` */
    uint32_t took_us;   /* the fastest run with that scale, rounded up */
};

/* Prepares the kernel, waits for a steady frequency, and runs the kernel uncounted with n, 2n, 5n,
 * 10n ... iterations until it takes an eighth longer than wanted; of each number the fastest of
 * three runs decides. The eighth is for a clock that rises later. */
void window_length_find(struct window_length *length, struct measurement *measurement);

/* About how many microseconds `passes` passes take, with windows of n that take `window_us`: the
 * warm-up, and in each pass `repeats` windows of n and of 2n. Windows that are run again, and what
 * lies between windows, are not in it. */
uint64_t window_length_total(uint32_t window_us, unsigned passes, unsigned repeats,
                             unsigned warmup);

#endif
