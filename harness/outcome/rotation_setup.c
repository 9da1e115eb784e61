#include "rotation_setup.h"

#include "boot/clock.h"
#include "boot/firmware/memory.h"
#include "boot/text.h"

#define READINGS ((size_t)MEASUREMENT_PASSES * PLAN_COUNTERS)

bool rotation_setup_wanted(const struct config *config)
{
    return config->multiplex || config->interval_us != 0;
}

bool rotation_setup_memory(const struct config *config, struct lane *lane)
{
    const unsigned intervals = config->interval_us != 0 ? config->intervals : 1;
    struct rotation *rotation = memory_alloc(sizeof(*rotation));

    if (rotation == NULL)
        return false;
    rotation->interval = memory_alloc(intervals * sizeof(*rotation->interval));
    rotation->whole = memory_alloc(READINGS * sizeof(*rotation->whole));
    if (rotation->interval == NULL || rotation->whole == NULL)
        return false;
    for (unsigned i = 0; i < intervals; i++) {
        struct interval *interval = &rotation->interval[i];

        interval->readings = memory_alloc(READINGS * sizeof(*interval->readings));
        if (interval->readings == NULL)
            return false;
    }
    rotation->intervals = intervals;
    lane->rotation = rotation;
    return true;
}

struct rotation *rotation_setup_kernel(const struct config *config, struct lane *lane)
{
    const bool in_intervals = config->interval_us != 0;
    struct rotation *rotation = lane->rotation;

    if (rotation == NULL)
        return NULL;
    for (unsigned i = 0; i < rotation->intervals; i++) {
        struct rotated *readings = rotation->interval[i].readings;

        memset(readings, 0, READINGS * sizeof(*readings));
        rotation->interval[i] = (struct interval){.readings = readings};
    }
    memset(rotation->whole, 0, READINGS * sizeof(*rotation->whole));
    rotation->done = 0;
    rotation->compared = false;
    rotation->alone = in_intervals ? 0 : ROTATION_ALONE;
    rotation->turns = in_intervals ? 0 : ROTATION_TURNS;
    rotation->random = ((uint64_t)config->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    rotation->n = lane->measurement.n * (in_intervals ? 1 : ROTATION_LONGER);
    rotation->ticks = config->interval_us * clock_ticks_per_us();
    return rotation;
}
