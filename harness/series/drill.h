/* Drill-down: level 1 first, then only the children of nodes over their threshold, down to the
 * leaf. Each step adds passes to the measurement; what was counted before is not counted again. */
#ifndef HARNESS_SERIES_DRILL_H
#define HARNESS_SERIES_DRILL_H

#include "harness/run/run.h"

/* Words that the values of any plan fit in. */
size_t drill_words(unsigned repeats);
/* The plan for the core's first nodes and the expectations, in lane->drill. RC_OK, or as
 * plan_append. */
enum rc drill_begin(struct lane *lane, const struct experiment *experiment,
                    const struct counts *given);
/* Adds the passes for the children of the nodes over their threshold. False: there is nothing more
 * to measure. */
bool drill_deeper(struct judged *judged, struct lane *lane, const struct experiment *experiment);

#endif
