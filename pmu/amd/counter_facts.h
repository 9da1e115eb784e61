/* Which counters a core of AMD has. */
#ifndef PMU_AMD_COUNTER_FACTS_H
#define PMU_AMD_COUNTER_FACTS_H

#include "pmu/facts.h"

/* Sets general_count and general_width; since Zen also `version`, 2 with PerfMonV2 and else 1, and
 * full_width_write. Vendor and signature must be known. */
void amd_counters_read(struct facts *facts);
/* Why a core since Zen cannot count; null: it can. */
const char *amd_absent(const struct facts *facts);

#endif
