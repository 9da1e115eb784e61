/* The records of one kernel on one core, except those of its nodes. */
#ifndef HARNESS_RECORDS_RECORDS_KERNEL_H
#define HARNESS_RECORDS_RECORDS_KERNEL_H

#include "harness/judge/measured_core.h"
#include "harness/judge/results.h"

/* What n iterations count of every event, and why others have no count. */
void record_kernel(const struct measured_core *core, const struct kernel *kernel,
                   const struct measurement *measurement, const struct results *results);
/* The raw counts: a record for each complete pass and number of iterations. */
void record_counts(const struct measured_core *core, const struct measurement *measurement);
void record_cpi(const struct measured_core *core, const struct measurement *measurement,
                const struct results *results);

#endif
