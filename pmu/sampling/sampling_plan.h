/* What a window that is sampled writes, and the handler of its interrupts: sampling.h makes it.
 * Pure. */
#ifndef PMU_SAMPLING_SAMPLING_PLAN_H
#define PMU_SAMPLING_SAMPLING_PLAN_H

#include "lbr.h"

/* Before a window: some have 18 CCCRs and 45 ESCRs. */
#define SAMPLING_WRITES 80
#define SAMPLING_KEEP   (SAMPLING_WRITES + LBR_KEEP) /* registers that are changed */
#define SAMPLING_READS  (1 + LBR_WORDS)              /* by the handler */
#define SAMPLING_STEPS  3                            /* writes of one kind in the handler */

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

#endif
