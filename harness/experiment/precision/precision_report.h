/* The points of a precision curve: records, a table for people, verdicts. */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_REPORT_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_REPORT_H

#include "precision_job.h"

/* Of all points that are done. */
void precision_report(const struct precision_job *job);

#endif
