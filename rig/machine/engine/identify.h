/* CPUID with the bits that an option of the machine adds. */
#ifndef RIG_MACHINE_ENGINE_IDENTIFY_H
#define RIG_MACHINE_ENGINE_IDENTIFY_H

#include <stdint.h>

#include "pmu/pmu.h"
#include "vector/cpuid_bit.h"

struct core;

struct cpuid_result core_cpuid(const struct core *core, uint32_t leaf, uint32_t subleaf);
/* Whether the core's CPUID has that leaf, and announces the feature. */
bool core_offers(const struct core *core, const struct cpuid_bit *bit);

#endif
