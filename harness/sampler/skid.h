/* The skid S of an interrupt, how many core cycles an interrupted program goes on after the
 * overflow; and S less the refill A, what it advances more than the period between two interrupts.
 * Both nothing where the sampled counter does not count cycles. */
#ifndef HARNESS_SAMPLER_SKID_H
#define HARNESS_SAMPLER_SKID_H

#include "sampler_state.h"

/* Measures cost.skid, before the program of the series is made: a branch at a known address of a
 * chain of additions overflows a counter of retired branches, and S is how many additions behind it
 * are executed before the interrupt. Nothing else that counts is as near to a known instruction:
 * whether the WRMSR that starts a counter of instructions counts itself is not known. Where it
 * cannot be measured cost.skid_missing says why. False: a register failed. */
bool skid_of_branch(struct sampler *sampler);
/* Measures cost.gain, with the program open: samples a chain of instructions of a cycle each.
 * Between two interrupts it advances by the period, S, and less A; so cost.refill is known when
 * cost.skid is. Nothing where the samples have no room. False: a register failed. */
bool skid_gain(struct sampler *sampler);

#endif
