/* Minimum, median, maximum by insertion sort: there are seldom more than a handful of values. */
#include "stats.h"

struct spread stats_spread(const uint64_t *values, unsigned count)
{
    uint64_t sorted[STATS_VALUES];
    unsigned alike = 1;

    while (alike < count && values[alike] == values[0])
        alike++;
    if (alike == count) /* most events count the same every time */
        return (struct spread){values[0], values[0], values[0]};
    for (unsigned i = 0; i < count; i++) {
        unsigned at = i;

        for (; at > 0 && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
    return (struct spread){sorted[0], sorted[(count - 1) / 2], sorted[count - 1]};
}

struct signed_spread stats_difference(const uint64_t *once, const uint64_t *twice, unsigned count)
{
    const uint64_t bias =
        1ull << 63; /* keeps the order of signed numbers when they become unsigned */
    uint64_t biased[STATS_VALUES];
    struct spread spread;

    for (unsigned i = 0; i < count; i++)
        biased[i] = twice[i] - once[i] + bias;
    spread = stats_spread(biased, count);
    return (struct signed_spread){(int64_t)(spread.minimum - bias), (int64_t)(spread.median - bias),
                                  (int64_t)(spread.maximum - bias)};
}
