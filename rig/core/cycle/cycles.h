/* The cycles of the allocator end. */
#ifndef RIG_CORE_CYCLE_CYCLES_H
#define RIG_CORE_CYCLE_CYCLES_H

#include "state.h"

/* Ends the current cycle, its free slots idle for that reason, and goes on to the next. */
void cycle_finish(struct model *model, enum idle why);
/* Ends cycles until `now` is `cycle`. */
void cycle_wait(struct model *model, uint64_t cycle, enum idle why);

#endif
