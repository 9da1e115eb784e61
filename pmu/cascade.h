/* A counter that another counter's overflow starts. Pure. */
#ifndef PMU_CASCADE_H
#define PMU_CASCADE_H

#include "pass.h"

enum cascading { CASCADING, EXTENDED_CASCADING };

/* Both counters count the same event. The pass starts the first; the second goes on from the first
 * one's overflow until `stop` is written. */
struct cascade {
    struct pass pass; /* its one reading is the second counter */
    struct msr_value stop;
    uint8_t first, second;
    uint32_t counter; /* the second counter's register */
};

#endif
