/* AMD's processors since Zen (family 17H): core counters that can all count every event. */
#ifndef PMU_AMD_KIND_H
#define PMU_AMD_KIND_H

#include "pmu/kind.h"

extern const struct pmu_kind amd_kind;

#endif
