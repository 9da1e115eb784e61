/* The outcome of a core after all its kernels. */
#ifndef HARNESS_OUTCOME_OUTCOME_EXACTNESS_H
#define HARNESS_OUTCOME_OUTCOME_EXACTNESS_H

#include "harness/run/run.h"

/* Records how exactly the events of its formulas count, and all others that a kernel pinned down.
 */
void outcome_exactness(const struct config *config, const struct measured_core *core);

#endif
