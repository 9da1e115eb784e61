/* An event that a user names by a raw selector. Pure. */
#ifndef PMU_INTEL_ASKED_H
#define PMU_INTEL_ASKED_H

#include "pmu/kind.h"

/* `read_selector` of struct pmu_kind. */
enum rc intel_asked_selector(const struct event **event, const struct asked_text *asked);

#endif
