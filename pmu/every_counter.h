/* One event on every counter of a core at once: a counter that lies, or that firmware keeps for
 * itself, then differs from the others. Pure. */
#ifndef PMU_EVERY_COUNTER_H
#define PMU_EVERY_COUNTER_H

#include "pass.h"

/* "instructions". */
const char *every_counter_name(enum every_counter what);
/* Makes the pass that counts it on each general counter that a plan may use and on its fixed
 * counter. Its readings name the counters. Returns null, or why this core has no such pass. */
const char *every_counter_pass(struct pass *pass, const struct facts *facts,
                               enum every_counter what);

/* Where a counter starts that is to be seen counting beyond 16 and 32 bits, so that some hundred
 * events carry: 100H below 2^32; 100H below 2^31 for a general counter that can only be written
 * with 32 bits, of which the last is the sign (SDM 3B, "Full-Width Writes to Performance Counter
 * Registers"). */
uint64_t every_counter_start(const struct facts *facts, enum reading_kind kind);
/* Makes all counters of the pass start there. */
void every_counter_preset(struct pass *pass, const struct facts *facts);

/* Makes the pass that counts cycles on fixed counter 1 and reference cycles on fixed counter 2, in
 * this order of its readings. Returns null, or why this core has no such pass. */
const char *every_counter_reference_pass(struct pass *pass, const struct facts *facts);
/* Reference cycles count at the rate of IA32_MPERF, and cycles at that of IA32_APERF (SDM 3B,
 * "Fixed-function Performance Counters" and "IA32_MPERF and IA32_APERF"): how many belong to these
 * cycles where both registers moved by so much meanwhile. `mperf` and `aperf` are not 0. */
uint64_t every_counter_reference(uint64_t cycles, uint64_t mperf, uint64_t aperf);
/* By how much a window's reference cycles may be off: 5 %, since the two registers are read a
 * moment before and after it, and one step of the counter. The counter is updated at a lower clock
 * rate than the core's, as the vendor's event list says, and no more is published: a step of at
 * most 160 cycles is a guess, 3.8 GHz by a crystal of 24 MHz. */
uint64_t every_counter_reference_tolerance(uint64_t expected);

/* By how much a count may differ from the one on which most counters agree: instructions by
 * nothing; others by 1 %, since whether all counters begin and end in the same cycle is not
 * published. */
uint64_t every_counter_tolerance(enum every_counter what, uint64_t agreed);
/* Of the counts that the readings of one window gave: the one that is alike to most of them. That
 * of the fixed counter, which is the first reading, where as many are alike to another one. */
uint64_t every_counter_agreed(enum every_counter what, const uint64_t *counts, unsigned count);

#endif
