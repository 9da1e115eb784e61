/* Counting. The functions with a `void *pmu` are callbacks of the model: struct model_sink. */
#ifndef RIG_PMU_COUNT_H
#define RIG_PMU_COUNT_H

#include "state.h"

void pmu_span(void *pmu, const struct span *span);
/* For how many cycles the order of spans does not matter to any counter. */
uint64_t pmu_order_slack(void *pmu);

/* For how many cycles counters only count: none of them overflows, and nothing records. */
uint64_t pmu_quiet(void *pmu);
/* All of the sequence `times` (at least 1) times in a row, within pmu_quiet. */
void pmu_repeat(void *pmu, const struct span_sequence *sequence, uint64_t times);

/* Core cycles since power-on in which the core was not halted, as far as spans were reported. */
uint64_t pmu_unhalted(const struct pmu *pmu);
/* Inside host.pmi: the PMI that is raised, in cycles of pmu_unhalted. */
struct pmu_interrupt {
    uint64_t requested; /* the cycle behind the overflow; of PMUs that are not Intel's of family 6
                           the same as `raised` */
    uint64_t raised;    /* the first cycle in which the PMI is there */
    uint64_t counters;  /* that overflowed, as in IA32_PERF_GLOBAL_STATUS; 0: none, or not known */
};
struct pmu_interrupt pmu_last_pmi(const struct pmu *pmu);

/* --- for this room --- */

/* What the cycles of the span add to the counter; notes what the next span depends on. */
uint64_t pmu_counted(const struct pmu *pmu, struct counter *counter, const struct span *span);
/* The step as the counter counts it: more or less where it lies. */
uint64_t pmu_as_counted(struct counter *counter, uint64_t step);
/* Core cycles from an overflow to its PMI, of the next request. */
uint64_t pmu_skid(const struct pmu *pmu);
/* Requests a PMI: it comes, and freezes, after the part's skid. `counters`: the overflows that
 * request it, 0 when a buffer in memory does. */
void pmu_request(struct pmu *pmu, uint64_t counters);
/* These counters (bits of IA32_PERF_GLOBAL_STATUS) overflowed in one cycle. */
void pmu_overflow(struct pmu *pmu, uint64_t counters);

#endif
