/* The loop buffer. */
#ifndef RIG_CORE_LOOP_H
#define RIG_CORE_LOOP_H

#include "core/cycle/state.h"

/* At the start of each instruction: true when the loop buffer delivers it. */
bool loop_begin(struct model *model, const struct decoded *decoded);
/* A branch at `rip` was taken. */
void loop_taken(struct model *model, uint64_t rip);
/* The front end was sent elsewhere: the loop is over. */
void loop_end(struct model *model);

#endif
