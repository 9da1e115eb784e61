/* The series of kernels, once or in rounds (`loop`). */
#ifndef HARNESS_SERIES_LOOP_H
#define HARNESS_SERIES_LOOP_H

#include "harness/run/run.h"

/* Measures round after round, as many as the configuration says, or until ESC; ends early when the
 * log file has no room for another round and no serial line keeps the log, or when no core counts
 * any more. With several rounds the cores' registers are put back after the last one. */
void loop_run(struct run *run);

#endif
