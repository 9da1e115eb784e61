/* Which core is the corunner of a measurement, and what it runs: the kernel's partner on another
 * core, or a kernel on the sibling thread. */
#ifndef HARNESS_SERIES_CHOOSE_CORUNNER_H
#define HARNESS_SERIES_CHOOSE_CORUNNER_H

#include "harness/run/run.h"

/* The other thread of the core among those that are measured; null: there is none, or it is lost.
 */
struct measured_core *choose_sibling_of(const struct run_cores *cores,
                                        const struct measured_core *core);
/* The kernel that the sibling thread runs during this experiment on the lane's core; null: none. */
struct experiment *choose_sibling_load(const struct run_experiments *experiments,
                                       const struct lane *lane,
                                       const struct experiment *experiment);
/* Finds a core for the corunner of the lane's measurement, and makes the corunner ready. True also
 * when the measurement needs none; false, with lane->blocked, when there is no such core. */
bool choose_corunner(struct run_cores *cores, const struct run_arenas *arenas,
                     const struct config *config, struct lane *lane,
                     const struct experiment *experiment);

#endif
