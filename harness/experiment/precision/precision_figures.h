/* From two readings of SLOTS and PERF_METRICS to the shares of what ran between them, and how far
 * these may be off. Pure.
 *
 * A byte is a share of all slots since the last reset, so it is off by less than a step, 1/255 of
 * these slots. How a core rounds is not published: where the bytes are made to add up to 255, one
 * may be up at one reading and down at the other, and the difference is off by less than both steps
 * together. The first is slots before / 255, the second (slots before + slots of the region) / 255:
 * (2 ratio + 1) / 255 of the region. Rounded always down, always up, or to the nearest, it is less
 * than the second alone. */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_FIGURES_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

/* Both registers at two points, as they were read. */
struct precision_reading {
    uint64_t slots_before, metrics_before; /* at the region's begin */
    uint64_t slots, metrics;               /* at its end */
};

/* Whether slots were counted in the region, and not fewer at its end than at its begin. */
bool precision_counted(const struct precision_reading *reading);
/* Byte `field` as a share of the region's slots; may lie outside of 0 to 1. The region was counted;
 * likewise below. */
double precision_share(const struct precision_reading *reading, unsigned field);
/* What the error of precision_share stays below. */
double precision_bound(const struct precision_reading *reading);
/* The slots from the last reset to the region, over those of the region. */
double precision_ratio(const struct precision_reading *reading);
/* The sum of the four bytes of level 1. */
unsigned precision_sum(uint64_t metrics);

#endif
