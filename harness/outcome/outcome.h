/* The outcome of one kernel on one core: its records, its verdicts, its line in the tables. */
#ifndef HARNESS_OUTCOME_OUTCOME_H
#define HARNESS_OUTCOME_OUTCOME_H

#include "harness/run/run.h"

/* Reports what the lane measured; *row is its line in the tables. */
void outcome_report(struct run *run, struct lane *lane, const struct experiment *experiment,
                    struct table_row *row);
/* The same of a kernel with doses, at dose number `step`: before the last dose only the verdicts
 * that fail are logged, and at the last all of them and how the node follows the dose. */
void outcome_dose(struct run *run, struct lane *lane, const struct experiment *experiment,
                  unsigned step, struct table_row *row);
/* Logs that the kernel could not run on the lane's core: a failure whatever its expectations are.
 * Nothing when it could. */
void outcome_failed(struct run_verdicts *verdicts, const struct lane *lane, const char *kernel);
/* Notes with the core that the kernel was given up on it, in whole or in part. Nothing when it was
 * not. */
void outcome_lost(const struct lane *lane, const char *kernel);
/* Adds an `error` record when something went wrong in the measurement. */
void outcome_trouble(const struct measured_core *core, const struct measurement *measurement);

/* Looks at one more measurement of a kernel of the self-check (lane->recheck). Returns whether a
 * count is off. */
bool outcome_recheck(struct judged *judged, struct lane *lane, const struct experiment *experiment);

#endif
