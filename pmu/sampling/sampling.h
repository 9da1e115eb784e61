/* From "interrupt this core at every so many of that event" to registers: what is written before a
 * window, and what the handler of the performance-monitoring interrupt (PMI) writes and reads.
 * Pure: nothing here touches a register. SDM volume 3B, "Generating an Interrupt on Overflow" and
 * "Architectural Performance Monitoring".
 *
 * The handler stops the sampled counter, reads, clears the counter's overflow, sets the counter
 * anew and starts it. The cycles of the whole window, the handler's too, are counted by another
 * counter, which never stops; with version 1 they are not. */
#ifndef PMU_SAMPLING_H
#define PMU_SAMPLING_H

#include "lbr.h"

/* Before a window: NetBurst has 18 CCCRs and 45 ESCRs. */
#define SAMPLING_WRITES 80
#define SAMPLING_KEEP   (SAMPLING_WRITES + LBR_KEEP) /* registers that are changed */
#define SAMPLING_READS  (1 + LBR_WORDS)              /* by the handler */
#define SAMPLING_STEPS  2                            /* writes of one kind in the handler */

/* Periods: a preset fits in the 31 bits that IA32_PMCx takes without full-width writes. */
#define SAMPLING_PERIOD_MAX 0x7fffff00u
#define SAMPLING_JITTER_MAX 255u

struct sampling_plan {
    /* Every register that is changed and holds a value, in the order in which saved_keep must see
     * them. */
    uint32_t keep[SAMPLING_KEEP];
    unsigned keep_count;
    struct msr_value setup[SAMPLING_WRITES]; /* before every window: stop, clear, select */
    unsigned setup_count;
    /* Switches branch records off after a window; the register is 0 where none are made. */
    struct msr_value finish;
    struct msr_value enable; /* starts the window, and the sampled counter after each interrupt */
    uint64_t disable;        /* the value of the same register that ends the window */
    /* The handler's writes, in this order; between `clear` and `resume` the counter is set. */
    struct msr_value stop[SAMPLING_STEPS], clear[SAMPLING_STEPS], resume[SAMPLING_STEPS];
    unsigned stop_count, clear_count, resume_count;
    /* The counter has overflowed when (status ^ status_flip) & status_bits is not 0. */
    uint32_t status_msr;
    uint64_t status_flip, status_bits;
    uint32_t counter_msr; /* sets the counter */
    uint64_t counter_mask;
    uint32_t reads[SAMPLING_READS]; /* by the handler, the counter first */
    unsigned read_count;
    uint32_t counter_index, total_index; /* for RDPMC */
    uint64_t total_mask;                 /* 0: nothing counts the cycles of the whole window */
    bool interrupts_with_next; /* the interrupt comes with the first event after the overflow */
};

/* The plan that samples the event on this core; `cycles` is the event of the core's own cycles.
 * With `lbr` the handler stores the branch records, too; the caller writes lbr->setup once before.
 * Returns null, or why this core cannot. */
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
