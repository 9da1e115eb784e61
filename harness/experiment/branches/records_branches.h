/* The records of the branches that a kernel's first recording has. */
#ifndef HARNESS_EXPERIMENT_BRANCHES_RECORDS_BRANCHES_H
#define HARNESS_EXPERIMENT_BRANCHES_RECORDS_BRANCHES_H

#include "harness/judge/measured_core.h"

void record_lbr(const struct measured_core *core, const struct measurement *measurement);
/* The same branches by edge: how often each was recorded, mispredicted, and its mean cycles. */
void record_edges(const struct measured_core *core, const struct measurement *measurement);

#endif
