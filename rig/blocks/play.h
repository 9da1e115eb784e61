/* A block's steps through a core model. */
#ifndef RIG_BLOCKS_PLAY_H
#define RIG_BLOCKS_PLAY_H

#include "block.h"
#include "core/model.h"
#include "steps.h"

/* One instruction of the copy of the block that lies at `copy`. */
void play_step(struct model *model, const struct block *block, const struct step *step,
               uint64_t copy);

#endif
