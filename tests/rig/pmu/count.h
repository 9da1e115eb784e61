/* Counting. The functions with a `void *pmu` are callbacks of the model: struct model_sink. */
#ifndef RIG_PMU_COUNT_H
#define RIG_PMU_COUNT_H

#include "state.h"

void pmu_span(void *pmu, const struct span *span);
/* For how many cycles the order of spans does not matter to any counter. */
uint64_t pmu_order_slack(void *pmu);

/* --- for this room --- */

/* What the cycles of the span add to the counter; notes what the next span depends on. */
uint64_t pmu_counted(const struct pmu *pmu, struct counter *counter, const struct span *span);
/* Requests a PMI: it comes, and freezes, after the part's skid. */
void pmu_request(struct pmu *pmu);
/* These counters (bits of IA32_PERF_GLOBAL_STATUS) overflowed in one cycle. */
void pmu_overflow(struct pmu *pmu, uint64_t counters);

#endif
