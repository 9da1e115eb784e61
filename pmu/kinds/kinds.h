/* The kinds of performance-monitoring units that slotscope counts with. */
#ifndef PMU_KINDS_KINDS_H
#define PMU_KINDS_KINDS_H

#include "boot/slice.h"
#include "pmu/kind.h"

/* Kind `index`, from 0; null behind the last one. A core is of the first kind that takes it. */
const struct pmu_kind *pmu_kind_at(unsigned index);
/* The kind that a core of these facts has; null: none of them. */
const struct pmu_kind *pmu_kind_find(const struct facts *facts);

/* The row of that name, of whichever kind of counters; null: none has it. */
const struct lbr_kind *kinds_lbr(struct slice name);
const struct pebs_kind *kinds_pebs(struct slice name);
/* All names, for a complaint. Return `names`. */
#define KINDS_NAMES 300
const char *kinds_lbr_names(char names[KINDS_NAMES]);
const char *kinds_pebs_names(char names[KINDS_NAMES]);

#endif
