/* Makes a lane ready for one kernel: its sizes, arena, corunner and plan. */
#ifndef HARNESS_SERIES_PREPARE_H
#define HARNESS_SERIES_PREPARE_H

#include "harness/run/run.h"

/* Prepares the kernel at this dose on the lane's core. Afterwards the lane is `ready` when there is
 * something to run, and lane->blocked says why nothing will be counted. */
void prepare_lane(struct run *run, struct lane *lane, struct experiment *experiment, unsigned dose);
/* Prepares the configured timeline on the lane's core, alone on its core. Afterwards as above. */
void prepare_timeline(struct run *run, struct lane *lane);

#endif
