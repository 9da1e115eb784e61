/* The records of the log, one function each. Every result record names its core and kernel; those
 * of an untrusted core carry "trusted":false. */
#ifndef HARNESS_RECORDS_H
#define HARNESS_RECORDS_H

#include "boot/machine/machine.h"
#include "harness/configure/config.h"
#include "harness/judge/drift.h"
#include "harness/judge/estimate.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/verdict.h"
#include "harness/measure/pebs_windows.h"

void record_machine(const struct machine_facts *machine, const struct facts *boot_core,
                    const struct config *config);
void record_core(const struct measured_core *core);
/* The guards of a core, once: which it has, and why it lacks the others. */
void record_guards(const struct measured_core *core);
/* How many windows of the measurement were kept, and how many each guard discarded. */
void record_guard(const struct measured_core *core, const struct measurement *measurement);

/* What n iterations count of every event, and why others have no count. */
void record_kernel(const struct measured_core *core, const struct kernel *kernel,
                   const struct measurement *measurement, const struct results *results);
/* The raw counts: a record for each complete pass and number of iterations. */
void record_counts(const struct measured_core *core, const struct measurement *measurement);
void record_cpi(const struct measured_core *core, const struct measurement *measurement,
                const struct results *results);
void record_lbr(const struct measured_core *core, const struct measurement *measurement);
/* What PEBS sampled of one use with one threshold. */
void record_pebs(const struct measured_core *core, const struct measurement *measurement,
                 const struct pebs_sampling *sampling, enum pebs_use use,
                 enum pebs_threshold threshold);

/* The nodes that were to be measured: their values, the reasons of those without a value, and which
 * are over their threshold (topdown_flagged). */
void record_topdown(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *measurement);
/* Nodes of levels 1 and 2 by PERF_METRICS and by counters, with the difference allowed. */
void record_methods(const struct measured_core *core, const struct trial *trial,
                    const struct measurement *measurement);
/* The node's share at each dose, and the line through the shares. */
void record_dose(const struct measured_core *core, const struct trial *trial,
                 const struct node *node, const struct dose_point *points, unsigned count,
                 const struct dose_line *line);
/* How exactly each of these events counts on the core; a comment names those that do not. */
void record_exactness(const struct measured_core *core, const struct event *const *events,
                      unsigned count);

void record_multiplex(const struct measured_core *core, const struct measurement *measurement,
                      const struct rotation *rotation, const struct multiplexed *events,
                      unsigned count);
/* Interval number `index`; the nodes' values are in trial->nodes. */
void record_interval(const struct measured_core *core, const struct trial *trial,
                     const struct measurement *measurement, const struct rotation *rotation,
                     unsigned index);
/* Over all intervals; one drift for each of the description's nodes. */
void record_drift(const struct measured_core *core, const struct trial *trial,
                  const struct measurement *measurement, const struct rotation *rotation,
                  const struct drift *drifts);

#endif
