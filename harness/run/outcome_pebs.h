/* What PEBS sampled of a kernel: records, then verdicts. */
#ifndef HARNESS_OUTCOME_PEBS_H
#define HARNESS_OUTCOME_PEBS_H

#include "run.h"

/* Makes ready what the lane's core is to sample of the kernel; null: nothing. */
struct pebs_sampling *pebs_setup_kernel(const struct run *run, struct lane *lane,
                                        const struct kernel *kernel);
/* Takes the lane's memory. False: there is none. */
bool pebs_setup_memory(struct lane *lane);
/* Sends the records of what was sampled. */
void outcome_pebs_records(const struct lane *lane);
/* Adds the verdicts to the run's. */
void outcome_pebs_judge(struct run *run, const struct lane *lane, const struct trial *trial);

#endif
