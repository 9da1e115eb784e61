/* All passes of a measurement, on the core under test. */
#ifndef HARNESS_MEASURE_MEASURE_H
#define HARNESS_MEASURE_MEASURE_H

#include "harness/window/measurement.h"

/* The kernel is ready (kernel_run_begin). Keeps the registers, warms up, runs the passes from
 * first_pass on, and records branches when the measurement asks for them. Without a plan the kernel
 * runs once, uncounted. measurement->what says what went wrong. */
void measure_passes(struct measurement *measurement);

#endif
