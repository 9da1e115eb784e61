/* A block's steps through a core model, as the measurement took them: copies of it behind one
 * another, all lines in the first-level caches, the uop cache cold, so that the decoders make every
 * uop. */
#ifndef RIG_BLOCKS_PLAY_H
#define RIG_BLOCKS_PLAY_H

#include "core/model.h"
#include "core/parameters.h"
#include "host.h"

#define PLAY_CODE UINT64_C(0x40000000) /* where the first copy lies */

/* One instruction of the copy of the block that lies at `copy`. */
void play_step(struct model *model, const struct block *block, const struct step *step,
               uint64_t copy);
/* Cycles that one copy takes: those of `copies` less those of half as many, by the difference in
 * copies. Below 0: the host's memory ran out. */
double play_straight(const struct model_parameters *core, const struct block *block,
                     const struct steps *steps);

#endif
