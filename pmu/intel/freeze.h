/* SDM 3B, "Freezing LBR and Performance Counters on PMI" (versions 2 and 3) and "Architectural
 * Performance Monitoring Version 4" (IA32_PERF_GLOBAL_STATUS.CTR_FRZ). The counter of core cycles
 * is fixed counter 1. Pure. */
#ifndef PMU_INTEL_FREEZE_H
#define PMU_INTEL_FREEZE_H

#include "pmu/freeze.h"

extern const struct freezing intel_freezing;

#endif
