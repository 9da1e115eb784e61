/* What every counter of a core can count. Pure. */
#ifndef PMU_INTEL_EVERY_COUNTER_H
#define PMU_INTEL_EVERY_COUNTER_H

#include "pmu/every_counter.h"

/* `every_counter` and `reference_pass` of struct pmu_kind. */
const char *intel_every_counter(struct pass *pass, const struct facts *facts,
                                enum every_counter what);
const char *intel_reference_pass(struct pass *pass, const struct facts *facts);

#endif
