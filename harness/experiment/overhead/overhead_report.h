/* The rows of an overhead table: records, a table for people, verdicts. */
#ifndef HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_REPORT_H
#define HARNESS_EXPERIMENT_OVERHEAD_OVERHEAD_REPORT_H

#include "overhead_job.h"

/* The heading of the table for people. */
void overhead_report_heading(const struct overhead_job *job);
/* The rows of lane number `number` that the newest step measured, or why it did not. */
void overhead_report(const struct overhead_job *job, unsigned number);

#endif
