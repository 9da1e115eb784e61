/* Event-based sampling on NetBurst: SDM volume 3B, "Processor Event-Based Sampling (PEBS)" of
 * processors based on Intel NetBurst microarchitecture. Pure. */
#ifndef PMU_NETBURST_PEBS_H
#define PMU_NETBURST_PEBS_H

#include "pmu/sampling/pebs_plan.h"

/* Fills in the plan, whose use, event and period are given. Returns null, or why this core cannot.
 */
const char *netburst_pebs_plan(struct pebs_plan *plan, const struct facts *facts,
                               const struct description *description, uint64_t area);

#endif
