/* What a rotation of passes is asked for: one multiplexed run, or intervals of a long one. */
#ifndef HARNESS_OUTCOME_ROTATION_SETUP_H
#define HARNESS_OUTCOME_ROTATION_SETUP_H

#include "harness/run/run.h"

/* Whether the configuration asks for a rotation after the passes of each kernel. */
bool rotation_setup_wanted(const struct config *config);
/* Takes the lane's memory for it. False: there is not enough. */
bool rotation_setup_memory(const struct config *config, struct lane *lane);
/* The lane's rotation, cleared for the next kernel, whose plan and n are known; null: nothing is to
 * follow the passes. */
struct rotation *rotation_setup_kernel(const struct config *config, struct lane *lane);

#endif
