/* What is judged in a lane, and by what. */
#ifndef HARNESS_OUTCOME_OUTCOME_TRIAL_H
#define HARNESS_OUTCOME_OUTCOME_TRIAL_H

#include "harness/run/run.h"

/* Makes the trial of the lane's measurement, valid as long as `extras` and until the next trial of
 * the run; trial->results is null when nothing was counted. */
void outcome_trial(struct judged *judged, const struct lane *lane,
                   const struct experiment *experiment, struct extra extras[PARAMETERS_MAX],
                   struct trial *trial);

#endif
