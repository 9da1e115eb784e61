/* Sampling one kernel by PEBS, on the core under test: records of instructions, without an
 * interrupt.
 */
#ifndef HARNESS_SAMPLER_PRECISE_H
#define HARNESS_SAMPLER_PRECISE_H

#include "sampler_state.h"

/* Samples until `wanted` samples are kept, or too many windows were disturbed. The period is
 * another one in each window and its first sample comes anywhere in it, as `periods` says: the core
 * itself sets the counter to the same value after each record, so a window has one period. */
void precise_run(struct sampler *sampler);

#endif
