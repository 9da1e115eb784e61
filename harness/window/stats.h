/* Minimum, median, maximum. Pure; whole numbers only, so that a count stays exact. */
#ifndef HARNESS_WINDOW_STATS_H
#define HARNESS_WINDOW_STATS_H

#include <stdint.h>

#define STATS_VALUES 101

struct spread {
    uint64_t minimum, median, maximum;
};
struct signed_spread {
    int64_t minimum, median, maximum;
};

/* Of `count` values, 1..STATS_VALUES. With an even count the median is the lower of the two in the
 * middle: always a value that was measured. */
struct spread stats_spread(const uint64_t *values, unsigned count);
/* Of the differences twice[i] - once[i]: what `n` more iterations cost, without
 * the constant cost of the window. */
struct signed_spread stats_difference(const uint64_t *once, const uint64_t *twice, unsigned count);

#endif
