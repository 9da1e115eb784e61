/* PERF_METRICS. */
#ifndef RIG_PMU_METRICS_H
#define RIG_PMU_METRICS_H

#include "state.h"

/* The slots of the span are added; to be called while metrics.running. */
void metrics_advance(struct pmu *pmu, const struct span *span);
uint64_t metrics_read(const struct pmu *pmu);
enum access_result metrics_write(struct pmu *pmu, uint64_t value);

#endif
