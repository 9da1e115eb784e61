/* Which counters run. */
#ifndef RIG_PMU_RUNNING_H
#define RIG_PMU_RUNNING_H

#include "state.h"

/* The privilege level changes here; everything that retired before has been reported. */
void pmu_privilege(struct pmu *pmu, unsigned cpl);

/* What records branches or instructions now: bits. Not of PMUs of another kind. */
#define RECORDER_LBR 1u
#define RECORDER_BTS 2u
#define RECORDER_PT  4u /* processor trace */
unsigned pmu_recorders(const struct pmu *pmu);

/* Whether the counter ran while something was wrong with it (struct counter_trouble): in which
 * window first, and whether that changed its value. */
bool pmu_counter_ill(const struct pmu *pmu, bool fixed, unsigned index, uint64_t *window,
                     bool *changed);

/* --- for this room --- */

/* After any change of a register that says what counts: finds out which counters run, and calls the
 * host if its answer changes. */
void pmu_refresh(struct pmu *pmu);
/* Finds out anew whether spans and branches are needed (host.observes). */
void pmu_observe(struct pmu *pmu);
/* After any change of what can request a PMI: calls host.foresee. */
void pmu_foresee(struct pmu *pmu);
/* Whether what the counter adds follows from what model_ahead tells. */
bool pmu_is_told(const struct counter *counter);

#endif
