/* Running a measurement's kernel: a built-in one as it is, one of the user's own in its cell. On
 * the core under test. */
#ifndef HARNESS_KERNEL_RUN_H
#define HARNESS_KERNEL_RUN_H

#include "measurement.h"
#include "window.h"

/* Makes the kernel ready: its PREPARE, unless the measurement goes on behind passes that are done.
 * One of the user's own gets a fresh copy of its code and an empty buffer, and is tried with n and
 * with 2n iterations outside of ring 0. */
void kernel_run_begin(struct measurement *measurement);
/* After the last run. */
void kernel_run_end(const struct measurement *measurement);
/* Its RESET, where it has one. */
void kernel_run_reset(const struct measurement *measurement, uint64_t n);
/* Runs n iterations, uncounted. */
void kernel_run_once(const struct measurement *measurement, uint64_t n);
/* Runs the window. False: the user's own kernel did not come back, and the measurement says so. It
 * does not run again. */
bool kernel_run_window(struct measurement *measurement, const struct window *window);
/* Whether an interrupt came into the last window of the user's own kernel. */
bool kernel_run_disturbed(const struct measurement *measurement);
/* Whether it is known that the kernel does not come back. */
bool kernel_run_failed(const struct measurement *measurement);

#endif
