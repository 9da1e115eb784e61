/* The outcome of both threads of a core over the same windows. */
#ifndef HARNESS_OUTCOME_OUTCOME_CORE_H
#define HARNESS_OUTCOME_OUTCOME_CORE_H

#include "harness/run/run.h"

void outcome_core_wide(struct run *run, struct lane *lane, const struct experiment *experiment);

#endif
