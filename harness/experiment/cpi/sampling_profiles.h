/* The profiles of a sampled kernel, in each way that its samples allow. */
#ifndef HARNESS_EXPERIMENT_CPI_SAMPLING_PROFILES_H
#define HARNESS_EXPERIMENT_CPI_SAMPLING_PROFILES_H

#include "sampling_job.h"

/* Words for a profile's error, beside profile_words. */
uint64_t sampling_profiles_words(const struct kernel_map *map);
/* Makes and records all profiles; judges them where the kernel's file says what is true. */
void sampling_profiles_report(const struct sampling_job *job);

#endif
