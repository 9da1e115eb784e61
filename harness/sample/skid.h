/* The skid of an interrupt: how many core cycles an interrupted program goes on after the overflow.
 */
#ifndef HARNESS_SKID_H
#define HARNESS_SKID_H

#include "sampler.h"

/* Measures sampler->cost.gain and skid, with the program open and the rest of the cost measured:
 * samples a chain of instructions of a cycle each. Between two interrupts it advances by the
 * period, the skid S, and less the refill A. Nothing where the sampled counter does not count
 * cycles, or the samples have no room. False: a register failed. */
bool skid_measure(struct sampler *sampler);

#endif
