/* A kernel is measured on its lanes, and again where something speaks against what was counted: a
 * count of the self-check that is off, a window that lies apart, an identity that fails, a counter
 * that no longer counts what the others do. */
#ifndef HARNESS_SERIES_MEASURE_TWICE_H
#define HARNESS_SERIES_MEASURE_TWICE_H

#include "harness/run/run.h"

/* Measures the kernel at this dose on the cores of the `count` lanes, with all that a second
 * measurement takes; the lanes are then ready to be reported. Counters that do not agree any more
 * have their verdicts, windows that lie apart their record, and what was logged since the last
 * comparison of the counters is doubted. */
void measure_twice(struct run *run, struct lane *lanes, unsigned count,
                   struct experiment *experiment, unsigned dose);

#endif
