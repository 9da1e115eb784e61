/* Sampling by a counter of NetBurst: SDM volume 3B, "Generating an Interrupt on Overflow" of
 * processors based on Intel NetBurst microarchitecture. Pure. */
#ifndef PMU_NETBURST_SAMPLING_H
#define PMU_NETBURST_SAMPLING_H

#include "pmu/sampling/sampling_plan.h"

/* `sampling` of struct pmu_kind; nothing counts the cycles of the whole window. */
const char *netburst_sampling_plan(struct sampling_plan *plan, const struct facts *facts,
                                   const struct description *description, const struct event *event,
                                   const struct event *cycles);

#endif
