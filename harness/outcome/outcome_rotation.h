/* The outcome of the rotation that followed a measurement's passes. */
#ifndef HARNESS_OUTCOME_OUTCOME_ROTATION_H
#define HARNESS_OUTCOME_OUTCOME_ROTATION_H

#include "harness/run/run.h"

/* Records, and the verdict on a multiplexed run; nothing when the lane has no rotation or the trial
 * no results. */
void outcome_rotation(const struct config *config, struct judged *judged,
                      struct run_verdicts *verdicts, const struct lane *lane,
                      const struct trial *trial);

#endif
