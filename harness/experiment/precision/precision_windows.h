/* The windows of a precision curve, on the core under test. Nothing here logs or allocates. */
#ifndef HARNESS_EXPERIMENT_PRECISION_PRECISION_WINDOWS_H
#define HARNESS_EXPERIMENT_PRECISION_PRECISION_WINDOWS_H

#include "precision_series.h"

/* Lays out the points: the first is PRECISION_NOTHING; each without `reset` follows the same one
 * with it. PRECISION_KERNEL only where windows may be longer. */
void precision_lay_out(struct precision_series *series);
/* Runs them; for cores_run. The argument is a struct precision_series. */
void precision_work(void *series);

#endif
