/* NetBurst (family 15, models 0 to 6) as a kind of performance-monitoring unit: ESCRs and CCCRs. */
#ifndef PMU_NETBURST_KIND_H
#define PMU_NETBURST_KIND_H

#include "pmu/kind.h"

extern const struct pmu_kind netburst_kind;

#endif
