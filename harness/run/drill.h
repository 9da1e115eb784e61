/* What a drill-down keeps between its steps. */
#ifndef HARNESS_DRILL_H
#define HARNESS_DRILL_H

#include "run.h"

struct drill {
    struct plan plan; /* grows from step to step */
    struct pass passes[MEASURE_PASSES];
    uint64_t *words;         /* where the next step's values go */
    unsigned passes_at_once; /* what the whole tree would take */
};

/* Words that the values of any plan fit in. */
static inline size_t drill_words(unsigned repeats)
{
    return (size_t)MEASURE_PASSES * (PLAN_COUNTERS + 1) * 2 * repeats;
}

#endif
