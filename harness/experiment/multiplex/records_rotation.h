/* Records of passes in rotation: `multiplex`, `topdown` of an interval, `drift`. */
#ifndef HARNESS_EXPERIMENT_MULTIPLEX_RECORDS_ROTATION_H
#define HARNESS_EXPERIMENT_MULTIPLEX_RECORDS_ROTATION_H

#include "drift.h"
#include "estimate.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/trial.h"

void record_multiplex(const struct measured_core *core, const struct measurement *measurement,
                      const struct rotation *rotation, const struct multiplexed *events,
                      unsigned count);
/* Interval number `index`; the nodes' values are in trial->nodes. Returns how many events have a
 * window in it that lies apart (slices.h). */
unsigned record_interval(const struct measured_core *core, const struct trial *trial,
                         const struct measurement *measurement, const struct rotation *rotation,
                         unsigned index);
/* Over all intervals; one drift for each of the description's nodes. */
void record_drift(const struct measured_core *core, const struct trial *trial,
                  const struct measurement *measurement, const struct rotation *rotation,
                  const struct drift *drifts);

#endif
