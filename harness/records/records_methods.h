/* The `methods` record. */
#ifndef HARNESS_RECORDS_RECORDS_METHODS_H
#define HARNESS_RECORDS_RECORDS_METHODS_H

#include "harness/judge/measured_core.h"
#include "harness/judge/trial.h"

/* Nodes of levels 1 and 2 by PERF_METRICS and by counters, with the difference allowed. */
void record_methods(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *measurement);

#endif
