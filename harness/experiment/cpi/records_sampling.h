/* The records of sampling. */
#ifndef HARNESS_EXPERIMENT_CPI_RECORDS_SAMPLING_H
#define HARNESS_EXPERIMENT_CPI_RECORDS_SAMPLING_H

#include "harness/judge/measured_core.h"
#include "harness/profile/profile.h"
#include "harness/sampler/sampler_state.h"

/* How a kernel was sampled by one series, and what a sample costs; kernel_cycles: of one window
 * without samples. */
void record_sampling(const struct measured_core *core, const struct sampler *sampler,
                     const char *series, const char *event, uint32_t seed, double kernel_cycles);
/* The profile's entries of that level, in as many records as they need; `n`: iterations of the
 * window that the totals are of. */
void record_profile(const struct measured_core *core, const char *kernel,
                    const struct profile *profile, enum profile_level level, uint64_t n);

#endif
