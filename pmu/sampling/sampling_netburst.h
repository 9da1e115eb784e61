/* Sampling by a counter of NetBurst: SDM volume 3B, "Generating an Interrupt on Overflow" of
 * processors based on Intel NetBurst microarchitecture. Pure. */
#ifndef PMU_SAMPLING_SAMPLING_NETBURST_H
#define PMU_SAMPLING_SAMPLING_NETBURST_H

#include "sampling_plan.h"

/* Fills in the plan without branch records. Returns null, or why this core cannot. */
const char *sampling_netburst_plan(struct sampling_plan *plan, const struct facts *facts,
                                   const struct description *description,
                                   const struct event *event);

#endif
