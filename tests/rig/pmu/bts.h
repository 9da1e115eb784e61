/* The branch trace store. */
#ifndef RIG_PMU_BTS_H
#define RIG_PMU_BTS_H

#include "state.h"

/* Whether branches are traced now. */
bool bts_records(const struct pmu *pmu);
/* A branch retired. True: the buffer has reached its threshold and requests a PMI. */
bool bts_branch(struct pmu *pmu, const struct retired_branch *branch);

#endif
