/* Which counters a core has: the part of its facts that CPUID states, or that Linux knows better.
 */
#ifndef PMU_INTEL_COUNTER_FACTS_H
#define PMU_INTEL_COUNTER_FACTS_H

#include "pmu/facts.h"

/* Sets the facts from `version` to `any_thread`, or none of them and `contradiction`. Vendor,
 * signature, hypervisor and core type must be known. `highest`: the highest leaf. */
void intel_counters_read(struct facts *facts, uint32_t highest);

#endif
