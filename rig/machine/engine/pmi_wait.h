/* A PMI that is there waits for an instruction that retires in the same cycle or later. The
 * pipeline may be far beyond the instruction accounted for last, as behind a mispredicted branch,
 * whose successor is fetched anew: then the next one is waited for, and with this PMI all
 * interrupts wait. On a core that two threads share nothing waits: there the cycle of a retirement
 * is not known yet. */
#ifndef RIG_MACHINE_ENGINE_PMI_WAIT_H
#define RIG_MACHINE_ENGINE_PMI_WAIT_H

#include <stdbool.h>

struct core;

/* Behind struct pmu_host; `core` is a struct core. */
void pmi_observes(void *core, bool observes);
/* In host.pmi: from now on there is a PMI. */
void pmi_wait(struct core *core);
/* Whether it is there and the instruction accounted for last retired before: then no interrupt is
 * taken behind that one. */
bool pmi_is_early(struct core *core);

#endif
