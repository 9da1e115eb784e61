/* The windows of a timeline, on the core under test. */
#ifndef HARNESS_EXPERIMENT_TIMELINE_TIMELINE_RUN_H
#define HARNESS_EXPERIMENT_TIMELINE_TIMELINE_RUN_H

#include "timeline.h"

/* Chooses how many iterations fit, and runs for each cycle, pass and repeat a window that freezes,
 * and among them the undisturbed window. The measurement has the kernel, the core and the
 * timeline's plan; measurement->what says what went wrong, timeline->absent why there is no
 * timeline all the same.
 */
void timeline_run(struct measurement *measurement, struct timeline *timeline);

#endif
