/* Records of what PEBS sampled of a kernel whose instructions are known. */
#ifndef HARNESS_EXPERIMENT_PEBS_RECORDS_PEBS_H
#define HARNESS_EXPERIMENT_PEBS_RECORDS_PEBS_H

#include "harness/judge/measured_core.h"
#include "pebs_windows.h"

/* What PEBS sampled of one use with one threshold. */
void record_pebs(const struct measured_core *core, const struct measurement *measurement,
                 const struct pebs_sampling *sampling, enum pebs_use use,
                 enum pebs_threshold threshold);

#endif
