/* Sampling by a counter that overflows: SDM volume 3B, "Architectural Performance Monitoring" and
 * "Generating an Interrupt on Overflow". Pure. */
#ifndef PMU_INTEL_SAMPLING_H
#define PMU_INTEL_SAMPLING_H

#include "pmu/sampling/sampling_plan.h"

/* `sampling` of struct pmu_kind. */
const char *intel_sampling_plan(struct sampling_plan *plan, const struct facts *facts,
                                const struct description *description, const struct event *event,
                                const struct event *cycles);

#endif
