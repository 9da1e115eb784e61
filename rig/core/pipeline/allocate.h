/* The allocator: slots in order. */
#ifndef RIG_CORE_PIPELINE_ALLOCATE_H
#define RIG_CORE_PIPELINE_ALLOCATE_H

#include "flow.h"

/* Waits until the allocator can take a slot that is in the queue in cycle `delivered`. `first`: it
 * is the first slot of its instruction. */
void wait_for_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first);
/* Waits likewise, and takes the slot. */
void allocate_slot(struct model *model, const struct flow *flow, uint64_t delivered, bool first);

#endif
