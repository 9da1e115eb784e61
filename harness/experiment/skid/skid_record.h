/* The `skid` record, and a table for people. */
#ifndef HARNESS_EXPERIMENT_SKID_SKID_RECORD_H
#define HARNESS_EXPERIMENT_SKID_SKID_RECORD_H

#include "skid_series.h"

/* Of the series that was run last. */
void skid_record(const struct skid_job *job, enum skid_method method);
void skid_table_begin(const struct skid_job *job);
void skid_table_row(const struct skid_job *job, enum skid_method method);

#endif
