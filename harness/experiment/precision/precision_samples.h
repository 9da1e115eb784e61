/* SLOTS and PERF_METRICS read at each overflow of another counter: what a sampling read group of
 * Linux's perf does, as perf record -e '{slots,cycles,topdown-retiring}:S'. On the core under test;
 * nothing here logs or allocates. */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_SAMPLES_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_SAMPLES_H

#include "precision_series.h"

/* Makes series->group from the plan that samples core cycles: it reads both registers, too. */
void precision_samples_plan(struct precision_series *series, const struct sampling_plan *plan);
/* Takes the samples of both ways, cleared with each sample and never, into the series' points of
 * PRECISION_SAMPLES; `slots` is what a region takes. Why there are none is in series->why. */
void precision_samples_run(struct precision_series *series, uint64_t slots);

#endif
