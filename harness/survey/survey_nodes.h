/* Which nodes are measured on a core, as the configuration asks. */
#ifndef HARNESS_SURVEY_SURVEY_NODES_H
#define HARNESS_SURVEY_SURVEY_NODES_H

#include "harness/run/run.h"

/* Chooses the core's nodes from `levels`, `nodes` and `explain`. A name that its description does
 * not have is left out. */
void survey_nodes_choose(const struct config *config, struct measured_core *core);
/* After all cores were surveyed: nodes and levels that no core's description has refuse the run. */
void survey_nodes_check(const struct run_cores *cores, const struct config *config,
                        struct complaints *complaints);

/* The first core from `index` on whose description no core before it has; null: none. */
const struct measured_core *survey_next_kind(const struct run_cores *cores, unsigned index);

#endif
