#include "precision_figures.h"

#include "pmu/metrics.h"

#define LEVEL_1_BYTES 4u

static double region(const struct precision_reading *reading)
{
    return (double)(reading->slots - reading->slots_before);
}

bool precision_counted(const struct precision_reading *reading)
{
    return reading->slots > reading->slots_before;
}

double precision_share(const struct precision_reading *reading, unsigned field)
{
    return (metrics_slots(reading->metrics, reading->slots, field) -
            metrics_slots(reading->metrics_before, reading->slots_before, field)) /
           region(reading);
}

double precision_bound(const struct precision_reading *reading)
{
    return (metrics_error(reading->slots_before) + metrics_error(reading->slots)) / region(reading);
}

double precision_ratio(const struct precision_reading *reading)
{
    return (double)reading->slots_before / region(reading);
}

unsigned precision_sum(uint64_t metrics)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < LEVEL_1_BYTES; i++)
        sum += (unsigned)(metrics >> 8 * i & 0xff);
    return sum;
}
