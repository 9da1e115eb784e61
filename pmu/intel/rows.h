/* The rows of last-branch stacks and of PEBS records that a CPU description names. */
#ifndef PMU_INTEL_ROWS_H
#define PMU_INTEL_ROWS_H

#include "pmu/lbr_kind.h"
#include "pmu/pebs_kind.h"

#define INTEL_LBR_ROWS 10
extern const struct lbr_kind intel_lbr_rows[INTEL_LBR_ROWS];
#define INTEL_PEBS_ROWS 12
extern const struct pebs_kind intel_pebs_rows[INTEL_PEBS_ROWS];

#endif
