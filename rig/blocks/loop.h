/* A block's steps through a core model as a loop: each turn is the block, then DEC R15 and JNZ. All
 * lines are in the first-level caches, and the front end has met the loop before. */
#ifndef RIG_BLOCKS_LOOP_H
#define RIG_BLOCKS_LOOP_H

#include "block.h"
#include "core/parameters.h"
#include "steps.h"

#define LOOP_CODE UINT64_C(0x40000000) /* where the loop lies */

/* Whether the block leaves R15 alone, so that it can count the turns. */
bool loop_possible(const struct block *block);
/* Cycles that a turn takes once the loop is settled. Turn after turn accesses what the copies of
 * `steps` do, and behind the last copy the first again. Below 0: the host's memory ran out. */
double play_loop(const struct model_parameters *core, const struct block *block,
                 const struct steps *steps);

#endif
