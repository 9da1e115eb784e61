/* Which events are counted on each core beside what the nodes need: those of `events`. */
#ifndef HARNESS_SURVEY_SURVEY_EVENTS_H
#define HARNESS_SURVEY_SURVEY_EVENTS_H

#include "harness/run/run.h"

/* After all cores were surveyed: finds the events on every kind of core. An event that some kinds
 * know is missing on the others, with the reason; an event that none knows refuses the run. */
void survey_events_choose(struct run *run);

#endif
