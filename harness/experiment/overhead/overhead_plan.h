/* What each row of an overhead table switches on. */
#ifndef HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_PLAN_H
#define HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_PLAN_H

#include "overhead_job.h"

/* Plans the windows without a counter, and those that count the core's cycles. Null, or why this
 * core cannot. */
const char *overhead_plan_base(struct overhead_step *step, const struct measured_core *core);
/* Adds a row; row->why says why this core cannot measure it. */
void overhead_plan_counting(struct overhead_step *step, const struct measured_core *core,
                            unsigned events);
/* `every`: events of OVERHEAD_PEBS from record to record; 0: not known. */
void overhead_plan_sampling(struct overhead_step *step, const struct measured_core *core,
                            enum overhead_method method, uint32_t period, uint64_t every);

#endif
