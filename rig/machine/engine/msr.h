/* The model-specific registers that belong to the machine and not to the PMU: APIC, long mode,
 * segment bases, memory types. */
#ifndef RIG_MACHINE_ENGINE_MSR_H
#define RIG_MACHINE_ENGINE_MSR_H

#include <stdint.h>

#include "pmu/pmu.h"

struct core;

/* ACCESS_NOT_MINE: the register is the PMU's, or no register at all. */
enum access_result core_rdmsr(struct core *core, uint32_t msr, uint64_t *value);
enum access_result core_wrmsr(struct core *core, uint32_t msr, uint64_t value);

#endif
