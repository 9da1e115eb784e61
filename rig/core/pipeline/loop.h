/* The loop buffer. */
#ifndef RIG_CORE_PIPELINE_LOOP_H
#define RIG_CORE_PIPELINE_LOOP_H

#include "core/cycle/state.h"

/* At the start of each instruction: true when the loop buffer delivers it. */
bool loop_begin(struct model *model, const struct decoded *decoded);
/* A branch at `rip` was taken. Gives true when the queue holds another turn behind it, which comes
 * without a gap. */
bool loop_taken(struct model *model, uint64_t rip);
/* The decoders make the instruction. */
void loop_decoded(struct model *model);
/* The front end was sent elsewhere: the loop is over. */
void loop_end(struct model *model);

#endif
