/* Which access events of the model count (enum pmu_rate from PER_SLOW_LOAD on). */
#ifndef RIG_PMU_ACCESS_FILTER_H
#define RIG_PMU_ACCESS_FILTER_H

#include "state.h"

/* Whether counter `index` can count at this rate, as the registers of the facility are programmed.
 */
bool access_filter_counts(const struct pmu *pmu, unsigned index, enum pmu_rate rate);

/* What MSR_OFFCORE_RSP_0 or 1 (PER_REQUEST_0 or 1) lets through: bits 1 << enum request and
 * 1 << enum origin. False: the register asks for something that the model does not distinguish, so
 * a count would be too small. */
bool access_filter_requests(const struct pmu *pmu, enum pmu_rate rate, uint32_t *requests,
                            uint32_t *origins);

/* What MSR_PEBS_FRONTEND lets through: a set of enum fetched. False: the register holds none of the
 * published values that the personality knows. */
bool access_filter_fetched(const struct pmu *pmu, unsigned *fetched);

/* Subscribes to the events that the running counters need; after any change of these counters. */
void access_filter_refresh(struct pmu *pmu);

#endif
