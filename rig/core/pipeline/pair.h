/* The two threads of a core in step: who runs, what waits, and whose instruction is next. */
#ifndef RIG_CORE_PIPELINE_PAIR_H
#define RIG_CORE_PIPELINE_PAIR_H

#include "core/cycle/state.h"

/* True: the instruction waits until the other thread has come as far. */
RIG_RARE bool pair_put_aside(struct model *model, const struct executed *executed);
void pair_free(struct model *model);

#endif
