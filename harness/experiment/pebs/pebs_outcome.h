/* PEBS on one core and kernel: made ready, and what came of it, as records and verdicts. */
#ifndef HARNESS_EXPERIMENT_PEBS_PEBS_OUTCOME_H
#define HARNESS_EXPERIMENT_PEBS_PEBS_OUTCOME_H

#include "harness/judge/measured_core.h"
#include "verdict_pebs.h"

/* Takes memory for one core's sampling. Null: there is none. */
struct pebs_sampling *pebs_take(void);
/* Makes ready what the core is to sample of the kernel. Returns the sampling; null when there is
 * nothing to sample. */
struct pebs_sampling *pebs_prepare(struct pebs_sampling *sampling, const struct measured_core *core,
                                   const struct kernel *kernel, uint32_t scale);
/* Sends the records of what was sampled; null: nothing was. */
void pebs_report(const struct measured_core *core, const struct measurement *measurement,
                 const struct pebs_sampling *sampling);
/* Asks `next` for the place of each verdict. `what`: why the measurement failed, null. */
void pebs_judge(const struct pebs_sampling *sampling, const struct trial *trial, const char *what,
                struct verdict *(*next)(void *context), void *context);

#endif
