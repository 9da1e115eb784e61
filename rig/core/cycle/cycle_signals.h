/* The signals of the cycle that ends. */
#ifndef RIG_CORE_CYCLE_CYCLE_SIGNALS_H
#define RIG_CORE_CYCLE_CYCLE_SIGNALS_H

#include "state.h"

/* All signals except the signals of retirement and of empty slots. */
void signals_begin(struct model *model, const struct cycle *cycle, enum idle why,
                   struct span *span);
/* The signals of the empty slots; `memory`: what back_waits_for_memory said. After cycle_retire. */
void signals_idle(const struct model_parameters *p, const struct allocator *allocator,
                  const struct window *window, enum idle why, bool memory, struct span *span);

#endif
