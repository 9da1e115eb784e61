/* What the brief form of the log says of a kernel: one verdict for all that pass, one for the skips
 * of each reason, and a `result` record. A core that agrees with an earlier one is said with it,
 * once. */
#ifndef HARNESS_OUTCOME_OUTCOME_BRIEF_H
#define HARNESS_OUTCOME_OUTCOME_BRIEF_H

#include "harness/run/run.h"

/* Counts the verdicts in *run into *row, and notes the result for the rounds. `step`: of its doses.
 * Returns whether it is to be said: with one round always. */
bool outcome_brief_said(struct run *run, const struct lane *lane, const struct trial *trial,
                        struct table_row *row, unsigned step);
/* For the verdicts in *run. *row is the kernel's line in the tables, or run->rows.sibling. Failures
 * are not logged here: they are in both forms. */
void outcome_brief(struct run *run, const struct lane *lane, const struct trial *trial,
                   struct table_row *row);
/* The kernels on which the core agreed with an earlier one since the last call; nothing when there
 * is none. */
void outcome_brief_agreed(struct measured_core *core);

#endif
