/* Event-based sampling: SDM volume 3B, "Processor Event Based Sampling" of each microarchitecture.
 * Pure. */
#ifndef PMU_INTEL_PEBS_H
#define PMU_INTEL_PEBS_H

#include "pmu/sampling/pebs_plan.h"

/* `pebs_absent` and `pebs` of struct pmu_kind. */
const char *intel_pebs_absent(const struct facts *facts);
const char *intel_pebs_plan(struct pebs_plan *plan, const struct facts *facts,
                            const struct description *description, uint64_t area,
                            const struct pebs_choice *choice);

#endif
