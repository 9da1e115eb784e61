/* A counter of NetBurst that another counter's overflow starts: SDM volume 3B, "Cascading Counters"
 * and "EXTENDED CASCADING". Pure: nothing here touches a register. */
#ifndef PMU_NETBURST_CASCADE_H
#define PMU_NETBURST_CASCADE_H

#include "pmu/cascade.h"

/* Makes the cascade of an event; the first counter overflows after `after` events, 1 or more.
 * Returns null, or why this core has no such cascade. */
const char *netburst_cascade_make(struct cascade *cascade, const struct facts *facts,
                                  const struct description *description, const struct event *event,
                                  enum cascading how, uint64_t after);

#endif
