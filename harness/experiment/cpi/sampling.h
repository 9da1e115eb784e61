/* A kernel's profile: its samples, and what they say. On the boot processor. */
#ifndef HARNESS_EXPERIMENT_CPI_SAMPLING_H
#define HARNESS_EXPERIMENT_CPI_SAMPLING_H

#include "sampling_job.h"

/* Takes the memory for the samples of these kernels. Null: there is not that much, which is logged;
 * then nothing is sampled, and all else is still measured. */
struct sampling *sampling_take(const struct config *config, const char *const *kernels,
                               unsigned count);
/* Whether samples of this kernel are asked for: it has a map, or the configuration names it. */
bool sampling_wanted(const struct config *config, const char *kernel);
/* Samples and reports. A core that does not come back is lost. */
void sampling_kernel(const struct sampling_job *job);

#endif
