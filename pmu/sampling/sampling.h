/* From "interrupt this core at every so many of that event" to registers: what is written before a
 * window, and what the handler of the performance-monitoring interrupt (PMI) writes and reads.
 * Pure: nothing here touches a register. SDM volume 3B, "Generating an Interrupt on Overflow" and
 * "Architectural Performance Monitoring".
 *
 * The handler stops the sampled counter, reads, clears the counter's overflow, sets the counter
 * anew and starts it. The cycles of the whole window, the handler's too, are counted by another
 * counter, which never stops; with version 1, and where the interrupt freezes counters, they are
 * not. */
#ifndef PMU_SAMPLING_SAMPLING_H
#define PMU_SAMPLING_SAMPLING_H

#include "sampling_plan.h"

/* Periods: a preset fits in the 31 bits that IA32_PMCx takes without full-width writes, with two
 * random parts. */
#define SAMPLING_PERIOD_MAX 0x7ffd0000u
#define SAMPLING_JITTER_MAX 65535u

/* The plan that samples the event on this core; `cycles` is the event of the core's own cycles.
 * With `lbr` the handler stores the branch records, too; the caller writes lbr->setup once before.
 * Returns null, or why this core cannot; an event that may not be counted is not sampled either. */
const char *sampling_plan_make(struct sampling_plan *plan, const struct facts *facts,
                               const struct description *description, const struct event *event,
                               const struct event *cycles, const struct lbr_plan *lbr);

/* Where the periods come from: P + R, R uniform in 0..jitter. P is `period` and a shift, uniform in
 * 0..jitter, which is another one every SAMPLING_ALIKE periods: where a loop takes L cycles and the
 * jitter + 1 values of R are no multiple of L, R meets some of the loop's cycles more often than
 * others, and which they are depends on P. The same seed gives the same periods. */
#define SAMPLING_ALIKE 32
struct sampling_periods {
    uint32_t period, jitter;
    uint32_t shift;
    unsigned left;  /* periods with this shift */
    uint64_t state; /* never 0 */
};
struct sampling_periods sampling_periods_from(uint32_t period, uint32_t jitter, uint64_t seed);
uint32_t sampling_periods_next(struct sampling_periods *periods);
/* The value that makes a counter of `mask` overflow after `period` events. */
uint64_t sampling_preset(uint64_t mask, uint32_t period);

#endif
