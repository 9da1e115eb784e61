/* What each row of an overhead table switches on. */
#ifndef HARNESS_OVERHEAD_PLAN_H
#define HARNESS_OVERHEAD_PLAN_H

#include "overhead.h"

/* Samples of a window at this period: as many as OVERHEAD_CYCLES_WANTED make room for, from
 * OVERHEAD_SAMPLES_LEAST to OVERHEAD_SAMPLES. */
#define OVERHEAD_CYCLES_WANTED 2000000u
#define OVERHEAD_SAMPLES_LEAST 2u
unsigned overhead_samples(uint32_t period);
/* Iterations of a window that is a little longer than these samples need (0 samples:
 * OVERHEAD_CYCLES_WANTED), where n iterations take `cycles` core cycles, more than 0. */
uint64_t overhead_iterations(unsigned samples, uint32_t period, uint64_t n, double cycles);

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
