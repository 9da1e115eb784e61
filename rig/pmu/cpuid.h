/* CPUID. */
#ifndef RIG_PMU_CPUID_H
#define RIG_PMU_CPUID_H

#include "host.h"

/* `cr4`: the current CR4, whose OSXSAVE bit the leaf of the features repeats. */
struct cpuid_result pmu_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf, uint64_t cr4);

#endif
