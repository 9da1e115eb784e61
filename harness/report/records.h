/* The records of the log, one function each. */
#ifndef HARNESS_RECORDS_H
#define HARNESS_RECORDS_H

#include "harness/run/run.h"

void record_machine(const struct machine_facts *machine, const struct facts *boot_core,
                    const struct config *config);
void record_core(const struct measured_core *core);
/* The guards of a core, once: those it has, and why it lacks the others. */
void record_guards(const struct measured_core *core);

/* Of one kernel on one core; an untrusted core's records carry "trusted":false. */
void record_kernel(const struct measured_core *core, const struct kernel *kernel,
                   const struct measurement *measurement, const struct results *results);
/* One for each complete pass and number of iterations. */
void record_counts(const struct measured_core *core, const struct measurement *measurement);
void record_topdown(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *measurement);
/* Nodes of levels 1 and 2 by PERF_METRICS and by counters, with how far apart they may be. */
void record_methods(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *measurement);
void record_cpi(const struct measured_core *core, const struct measurement *measurement,
                const struct results *results);
/* Of these events, how true each has shown to be on the core; in a comment those that are not. */
void record_exactness(const struct measured_core *core, const struct event *const *events,
                      unsigned count);
void record_dose(const struct measured_core *core, const struct trial *trial,
                 const struct node *node, const struct dose_point *points, unsigned count,
                 const struct dose_line *line);
void record_multiplex(const struct measured_core *core, const struct measurement *measurement,
                      const struct rotation *rotation, const struct multiplexed *events,
                      unsigned count);
/* Interval number `index`; the nodes' values are in trial->nodes. */
void record_interval(const struct measured_core *core, const struct trial *trial,
                     const struct measurement *measurement, const struct rotation *rotation,
                     unsigned index);
void record_drift(const struct measured_core *core, const struct trial *trial,
                  const struct measurement *measurement, const struct rotation *rotation,
                  const struct drift *drifts);
void record_lbr(const struct measured_core *core, const struct measurement *measurement);
void record_guard(const struct measured_core *core, const struct measurement *measurement);

#endif
