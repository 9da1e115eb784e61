/* A timeline in the log: its records, and what is claimed of it. */
#ifndef HARNESS_EXPERIMENT_TIMELINE_TIMELINE_RECORD_H
#define HARNESS_EXPERIMENT_TIMELINE_TIMELINE_RECORD_H

#include "harness/judge/measured_core.h"
#include "timeline_cycles.h"

/* A `timeline` record for each event of the list, in as many parts as it needs. The timeline was
 * measured: timeline->absent is null. */
void timeline_record(const struct measured_core *core, const struct measurement *measurement,
                     const struct timeline *timeline);
/* Writes the claim on the timeline to `text`: no event counts backwards from a cycle to the next.
 * `why` says why that cannot be told, "" when it can. Returns whether the claim holds. */
bool timeline_verdict(const struct measured_core *core, const struct measurement *measurement,
                      const struct timeline *timeline, char *text, size_t size, char *why,
                      size_t why_size);

#endif
