/* What the model and the machine report between spans. The functions with a `void *pmu` are
 * callbacks of the model: struct model_sink and struct model_subscriber. */
#ifndef RIG_PMU_RETIRED_H
#define RIG_PMU_RETIRED_H

#include "host.h"

void pmu_branch(void *pmu, const struct retired_branch *branch);
/* The instruction that retired last, in that cycle of the model, is executed again behind an
 * interrupt: the last-branch stack has no record of it. */
void pmu_take_back(struct pmu *pmu, uint64_t cycle);
/* And now it is. */
void pmu_again(struct pmu *pmu);

/* As long as host.subscribe asked for them. */
void pmu_access(void *pmu, const struct retired_access *access);
void pmu_fetched(void *pmu, unsigned fetched);
void pmu_offcore(void *pmu, enum request request, enum origin origin);

/* After every instruction, as long as host.watch asked for it. */
void pmu_at_boundary(struct pmu *pmu, const struct pmu_boundary *boundary);

/* A #DB is delivered: the legacy last-branch stack and single-stepping on branches stop. */
void pmu_debug_exception(struct pmu *pmu);
/* Whether TF stops after taken branches only. */
bool pmu_steps_branches(const struct pmu *pmu);
/* Whether pmu_event is needed now: it keeps the last branch before an exception. */
bool pmu_keeps_events(const struct pmu *pmu);
/* An exception other than #DB, or an interrupt, is delivered, and all instructions before it have
 * been reported. */
void pmu_event(struct pmu *pmu);
/* Behind pmu_event: the same exception or interrupt as a branch from `from`, the address that it
 * saves, to its handler. Not of INT, which is a branch itself. */
void pmu_delivered(struct pmu *pmu, uint64_t from, uint64_t handler);

#endif
