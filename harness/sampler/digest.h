/* What a window's records say, once the window is over. */
#ifndef HARNESS_SAMPLER_DIGEST_H
#define HARNESS_SAMPLER_DIGEST_H

#include "sampler_state.h"

/* Takes the first `count` records of the sampler. */
void digest_records(struct sampler *sampler, uint64_t count);

#endif
