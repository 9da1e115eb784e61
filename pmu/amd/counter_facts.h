/* Which counters a core of AMD has. They are only told of: nothing here counts with them. */
#ifndef PMU_AMD_COUNTER_FACTS_H
#define PMU_AMD_COUNTER_FACTS_H

#include "pmu/facts.h"

/* Sets general_count and general_width. Vendor and signature must be known; `highest_extended`: the
 * highest leaf of that range. */
void amd_counters_read(struct facts *facts, uint32_t highest_extended);

#endif
