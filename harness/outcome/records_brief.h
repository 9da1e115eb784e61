/* The record that the brief form of the log has of one kernel on one core, in place of its
 * `kernel`, `counts`, `topdown` and `cpi` records. */
#ifndef HARNESS_OUTCOME_RECORDS_BRIEF_H
#define HARNESS_OUTCOME_RECORDS_BRIEF_H

#include "harness/judge/measured_core.h"
#include "harness/judge/repeats.h"

/* Sends `result` records: the nodes of level 1, those over their threshold and those that verdicts
 * rest on, each with its range over the repeats (by repeats_ranges; *room has its lists); then the
 * counts that verdicts rest on. A value without a range is one number, else [lowest, value,
 * highest]. */
void record_result(const struct measured_core *core, const struct trial *trial,
                   const struct measurement *m, struct repeats *room);

#endif
