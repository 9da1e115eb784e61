/* The end of the log: tables and failures for people, and the `end` record. */
#ifndef HARNESS_OUTCOME_SUMMARY_H
#define HARNESS_OUTCOME_SUMMARY_H

#include "harness/run/run.h"

/* The tables, the cores that are lost or not trusted, the failures and the totals. Of a refused run
 * only the verdict that its configuration is not well formed; nothing when there was no memory. */
void summary_print(const struct run *run);
/* A verdict that fails, with the reason, for each core that measured nothing, was lost or was given
 * a kernel up on, or one for a run without cores. Sets run->losses.unmeasured,
 * run->losses.cores_lost and run->losses.kernels_lost. Comes after all kernels; a refused run has
 * no such verdict. */
void summary_judge(struct run *run);
/* The `end` record of a run that came to its end. Null: there was no memory for the run. Returns
 * whether it was complete: not refused, and each core measured each kernel and was there to the
 * end. */
bool summary_end(struct run *run);
/* All of the above, as if the run ended here, and the plan: for a stick without room for another
 * round, whose log ends while the run goes on. Between console_stick_alone and console_close_stick.
 */
void summary_end_full(struct run *run);
/* The `end` record and the plan of a log that is cut here, while the run may go on. Between
 * console_stick_rewind and console_close_stick. */
void summary_end_cut(struct run *run);
/* The `end` record of a run that a trap of the boot processor ended. */
void summary_trapped(struct run *run);

#endif
