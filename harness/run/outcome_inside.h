/* What outcome.c and outcome_core.c share. */
#ifndef HARNESS_OUTCOME_INSIDE_H
#define HARNESS_OUTCOME_INSIDE_H

#include "run.h"

/* The place of the next verdict; the last one when there is no room. */
struct verdict *outcome_next(struct run *run);
/* What is judged and what it is judged by, as long as `extras` lives. */
bool outcome_trial(struct run *run, struct lane *lane, struct experiment *experiment,
                   struct extra extras[EXPERIMENT_EXTRAS], struct trial *trial);
/* An `error` record of what went wrong in the measurement, if anything did. */
void outcome_trouble(const struct measured_core *core, const struct measurement *m);
void outcome_discarded(struct run *run, struct measured_core *core, const struct measurement *m);
/* A kernel that cannot run is a failure of its own, whatever its expectations are then. */
void outcome_failed(struct run *run, const struct measured_core *core, const struct lane *lane,
                    const char *kernel);
/* The verdicts so far. */
void outcome_log(struct run *run, const struct measured_core *core, const struct trial *trial);

#endif
