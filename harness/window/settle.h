/* What a measurement waits for before its first window. */
#ifndef HARNESS_WINDOW_SETTLE_H
#define HARNESS_WINDOW_SETTLE_H

#include "measurement.h"

/* Waits until the core's frequency is steady (guards_begin), at most 20 ms. A kernel with wide
 * vectors, whose arena is laid out, then runs uncounted for 0.1 ms, several times what a core was
 * measured to need before it runs them at full speed (settle.c). */
void settle(const struct measurement *measurement);
/* Runs the kernel once, uncounted. */
void settle_run(const struct measurement *measurement);

#endif
