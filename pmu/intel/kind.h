/* Architectural performance monitoring. */
#ifndef PMU_INTEL_KIND_H
#define PMU_INTEL_KIND_H

#include "pmu/kind.h"

extern const struct pmu_kind intel_kind;

#endif
