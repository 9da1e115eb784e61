/* The series of measurements: every kernel on every core, one core after the other or all together.
 */
#ifndef HARNESS_SERIES_SERIES_H
#define HARNESS_SERIES_SERIES_H

#include "harness/run/run.h"

/* Measures and reports all kernels on all cores, then restores each core's registers. */
void series_run(struct run *run);

#endif
