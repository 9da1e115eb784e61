/* What an interrupt of the sampled counter costs on this core. */
#ifndef HARNESS_SAMPLER_INTERRUPT_COST_H
#define HARNESS_SAMPLER_INTERRUPT_COST_H

#include "sampler_state.h"

/* Measures sampler->cost by INT instructions that go to the handler, with its program open. A PMI
 * may cost a few cycles more or less than an INT; nobody says how many. False: a register failed,
 * and the sampler says which. */
bool interrupt_cost_measure(struct sampler *sampler);

#endif
