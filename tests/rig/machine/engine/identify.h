/* CPUID with the bits that an option of the machine adds. */
#ifndef RIG_IDENTIFY_H
#define RIG_IDENTIFY_H

#include <stdint.h>

#include "pmu/pmu.h"

struct core;

struct cpuid_result core_cpuid(const struct core *core, uint32_t leaf, uint32_t subleaf);

#endif
