/* Sampling one kernel by one counter, on the core under test. */
#ifndef HARNESS_SAMPLE_SAMPLER_H
#define HARNESS_SAMPLE_SAMPLER_H

#include "sampler_state.h"

/* Samples until `wanted` samples are kept, or nothing more can come. */
void sampler_run(struct sampler *sampler);
/* The same for cores_run: the argument is a struct sampler. */
void sampler_work(void *sampler);

#endif
