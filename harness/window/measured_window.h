/* The measured window: a kernel's n iterations between the write that starts a pass's counters and
 * the write that stops them (window.asm), and what may have disturbed it. On the core under test.
 */
#ifndef HARNESS_WINDOW_MEASURED_WINDOW_H
#define HARNESS_WINDOW_MEASURED_WINDOW_H

#include "measurement.h"

/* Resets the kernel, sets the pass up and runs one window, without guards and without reading the
 * counters. False: a register failed, and the measurement says which. */
bool measured_window_run(struct measurement *measurement, const struct pass *pass, uint64_t n);
/* The same, with *enable written before the window and `disable` to the same register after it. */
bool measured_window_run_within(struct measurement *measurement, const struct pass *pass,
                                uint64_t n, const struct msr_value *enable, uint64_t disable);
/* measured_window_run with guards: *raw is what the window counted, *guard what disturbed it. False
 * as above.
 */
bool measured_window_try(struct measurement *measurement, const struct pass *pass, uint64_t n,
                         struct raw_counts *raw, enum guard *guard);
/* Runs one window with guards, without reading the counters: *ticks is its time by the time stamp
 * counter. False as above. */
bool measured_window_time(struct measurement *measurement, const struct pass *pass, uint64_t n,
                          uint64_t *ticks, enum guard *guard);
/* Runs windows of n iterations until a window was not disturbed; each disturbed window uses up one
 * of *retries. False: no retry is left, the disturbed windows of this measurement took 2 s, or a
 * register failed; the measurement says which. */
bool measured_window_count(struct measurement *measurement, const struct pass *pass, uint64_t n,
                           struct raw_counts *raw, unsigned *retries);

#endif
