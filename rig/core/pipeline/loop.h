/* The loop buffer. */
#ifndef RIG_CORE_PIPELINE_LOOP_H
#define RIG_CORE_PIPELINE_LOOP_H

#include "core/cycle/state.h"

/* At the start of each instruction: true when the loop buffer delivers it. */
bool loop_begin(const struct model_parameters *p, struct loop *loop, const struct decoded *decoded);
/* A branch at `rip` was taken. Gives true when the queue holds another turn behind it, which comes
 * without a gap. */
bool loop_taken(const struct model_parameters *p, struct front *front,
                const struct uop_queue *queue, uint64_t rip);
/* The decoders make the instruction. */
void loop_decoded(const struct model_parameters *p, struct loop *loop);
/* The front end was sent elsewhere: the loop is over. */
void loop_end(struct loop *loop);

#endif
