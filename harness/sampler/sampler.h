/* Sampling one kernel by one counter, on the core under test. */
#ifndef HARNESS_SAMPLER_SAMPLER_H
#define HARNESS_SAMPLER_SAMPLER_H

#include "sampler_state.h"

/* Memory for so many samples a window: room for `room` records of the largest size, and for one
 * preset more. */
static inline void sampler_give_room(struct sampler *sampler, uint64_t *words, uint64_t room)
{
    sampler->room = room;
    sampler->records = words;
    sampler->presets = words + room * (PMI_RECORD_WORDS + SAMPLING_READS);
}

/* Samples until `wanted` samples are kept, or nothing more can come. */
void sampler_run(struct sampler *sampler);
/* The same for cores_run: the argument is a struct sampler. */
void sampler_work(void *sampler);

#endif
