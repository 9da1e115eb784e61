/* The verdict on a series of samples. */
#ifndef HARNESS_EXPERIMENT_SKID_SKID_VERDICT_H
#define HARNESS_EXPERIMENT_SKID_SKID_VERDICT_H

#include "skid_series.h"

/* Logs the verdict on the series that was run last. */
void skid_verdict(const struct skid_job *job, enum skid_method method);

#endif
