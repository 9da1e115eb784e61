/* Sampling of the kernels that have a map, after they were counted. */
#ifndef HARNESS_SAMPLING_H
#define HARNESS_SAMPLING_H

#include "run.h"

/* Takes the memory for `samples`. False: there is not that much, which is logged; then nothing is
 * sampled. */
bool sampling_take_memory(struct run *run);
/* Samples the kernel that was counted in the lane, by each method, and reports. Nothing when none
 * is asked for. */
void sampling_kernel(struct run *run, struct lane *lane, const struct experiment *experiment);

#endif
