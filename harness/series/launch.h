/* Runs what is ready: the only place where cores are given measurements to work on. */
#ifndef HARNESS_SERIES_LAUNCH_H
#define HARNESS_SERIES_LAUNCH_H

#include "harness/run/run.h"

/* Runs the kernel on the cores of the `count` lanes that are ready and not idle, with a corunner
 * where a single lane has one, and waits. A core that does not come back is lost, and its lane
 * failed. */
void launch_lanes(struct run *run, struct lane *lanes, unsigned count, const char *kernel);

#endif
