/* The state of a pipeline at the end of a period. */
#ifndef RIG_CORE_PIPELINE_PERIOD_SNAPSHOT_H
#define RIG_CORE_PIPELINE_PERIOD_SNAPSHOT_H

#include "core/cycle/state.h"
#include "core/snapshot.h"
#include "period_inputs.h"

/* Writes down what the instructions to come will meet, if they are these again, and if every store
 * in the store buffer is one of theirs. False: the state cannot come again as it is,
 * because something is under way whose end is not known to the pipeline alone. */
bool period_snapshot(const struct model *model, const struct inputs *inputs,
                     struct snapshot *snapshot);
/* The same in short, of what changes most: where two of these differ, so do the snapshots. */
void period_sketch(const struct model *model, struct snapshot *snapshot);
/* Whether coming cycles beyond those that a snapshot has are all blank. Goes through all of them.
 */
bool period_is_blank_beyond(const struct model *model);

#endif
