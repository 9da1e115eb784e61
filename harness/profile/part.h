/* A part of what a kernel's samples say: a number from all samples, and without each of the groups,
 * and the estimates that these make. Pure. */
#ifndef HARNESS_PROFILE_PART_H
#define HARNESS_PROFILE_PART_H

#include "estimated.h"
#include "profile_raw.h"

/* What a solved flow leaves of nothing, as a part of all: such an entry never ran. */
#define PART_ROUNDING 1e-9

struct part {
    double of[RAW_ROWS];
    const struct groups *groups;
};

/* Sums up these instructions of the rows. */
void part_sum(struct part *part, const struct raw *raw, const double *rows, uint32_t first,
              uint32_t count);
/* Makes the part one of the whole. */
void part_divide(struct part *part, const struct part *whole);
/* The number itself; with no sample its upper end is what three of them have. */
struct estimated part_estimated(const struct part *part);
/* cycles / instructions, which come from the same samples or from others. */
struct estimated part_ratio(const struct part *cycles, const struct part *instructions);
struct estimated part_scaled(struct estimated estimated, double factor);

#endif
