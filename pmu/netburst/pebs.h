/* Event-based sampling on NetBurst: SDM volume 3B, "Processor Event-Based Sampling (PEBS)" of
 * processors based on Intel NetBurst microarchitecture. Pure. */
#ifndef PMU_NETBURST_PEBS_H
#define PMU_NETBURST_PEBS_H

#include "pmu/sampling/pebs_plan.h"

/* `pebs` of struct pmu_kind. */
const char *netburst_pebs_plan(struct pebs_plan *plan, const struct facts *facts,
                               const struct description *description, uint64_t area,
                               const struct pebs_choice *choice);

#endif
