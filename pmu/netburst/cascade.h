/* A counter of NetBurst that another counter's overflow starts: SDM volume 3B, "Cascading Counters"
 * and "EXTENDED CASCADING". Pure: nothing here touches a register. */
#ifndef PMU_NETBURST_CASCADE_H
#define PMU_NETBURST_CASCADE_H

#include "pmu/plan_pass.h"

enum netburst_cascading { NETBURST_CASCADING, NETBURST_EXTENDED_CASCADING };

/* Both counters count the same event. The pass starts the first; the second goes on from the first
 * one's overflow until `stop` is written. */
struct netburst_cascade {
    struct pass pass; /* its one reading is the second counter */
    struct msr_value stop;
    uint8_t first, second;
};

/* Makes the cascade of an event; the first counter overflows after `after` events, 1 or more.
 * Returns null, or why this core has no such cascade. */
const char *netburst_cascade_make(struct netburst_cascade *cascade, const struct facts *facts,
                                  const struct description *description, const struct event *event,
                                  enum netburst_cascading how, uint64_t after);

#endif
