/* One series of samples of a kernel. */
#ifndef HARNESS_EXPERIMENT_CPI_SAMPLING_SERIES_H
#define HARNESS_EXPERIMENT_CPI_SAMPLING_SERIES_H

#include "sampling_job.h"

/* PEBS is sampled where the configuration asks for it; all else always. */
bool sampling_series_wanted(const struct sampling_job *job, enum series series);
/* The name of the event whose counter overflows. */
const char *sampling_series_event(const struct sampling_job *job, enum series series);
/* Iterations of a window: so many that it has room for many samples. */
uint64_t sampling_series_n(const struct sampling_job *job);
/* Takes the samples, and reports how. Afterwards sampling->done[series], or sampling->missing says
 * why not. */
void sampling_series_run(const struct sampling_job *job, enum series series);

#endif
