/* What a measurement waits for before its first window. */
#ifndef HARNESS_SETTLE_H
#define HARNESS_SETTLE_H

#include "measurement.h"

/* Waits until the core's frequency is steady (guards_begin), at most 20 ms. A kernel with wide
 * vectors then runs, uncounted, until the core must have its power licence for them; its arena is
 * laid out. */
void settle(const struct measurement *measurement);
/* Runs the kernel once, uncounted. */
void settle_run(const struct measurement *measurement);

#endif
