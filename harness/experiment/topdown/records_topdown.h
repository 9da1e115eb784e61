/* Records of nodes and events: `topdown`, `dose`, `exactness`. */
#ifndef HARNESS_EXPERIMENT_TOPDOWN_RECORDS_TOPDOWN_H
#define HARNESS_EXPERIMENT_TOPDOWN_RECORDS_TOPDOWN_H

#include "harness/judge/dose.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/repeats.h"
#include "harness/judge/trial.h"

/* The nodes that were to be measured: their values, the reasons of nodes without a value, the
 * ranges of those whose repeats lie apart (by repeats_ranges; *room has its lists; null: none are
 * written), and which nodes are over their threshold (topdown_flagged). */
void record_topdown(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *measurement, struct repeats *room);
/* The part of the thread's cycles in which its sibling works, at each duty of that, and the line
 * through the parts; in windows of so many iterations. */
void record_duty(const struct measured_core *core, const struct trial *trial, uint64_t iterations,
                 const struct dose_point *points, unsigned count, const struct dose_line *line);
/* The node's share at each dose, and the line through the shares. */
void record_dose(const struct measured_core *core, const struct trial *trial,
                 const struct node *node, const struct dose_point *points, unsigned count,
                 const struct dose_line *line);
/* How exactly each of these events counts on the core; a comment names each event that does not
 * count exactly. */
void record_exactness(const struct measured_core *core, const struct event *const *events,
                      unsigned count);

#endif
