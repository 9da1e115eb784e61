/* Running a measurement's kernel: a built-in one as it is, one of the user's own in its cell. On
 * the core under test. */
#ifndef HARNESS_WINDOW_KERNEL_RUN_H
#define HARNESS_WINDOW_KERNEL_RUN_H

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

/* Whether a kernel of the user's own leaves the counters to the measurement that counts it. What it
 * does to them within a window only its counts can show; but a kernel that writes them at all
 * writes them also while they are stopped, one that stops them has stopped them when it is back,
 * and one that selects other events leaves that behind. A built-in kernel is not looked at. */
struct kernel_run_selects {
    uint64_t value[PLAN_WRITES + 1];
    bool known[PLAN_WRITES + 1];
};
/* Sets up the first pass that is not given up and runs the kernel once with all counters stopped,
 * and once while they count. False: it wrote one of the pass's registers, or did not come back; the
 * measurement says which. */
bool kernel_run_spares(struct measurement *measurement);
/* Before a window, with the pass set up: notes the registers that select its events. */
void kernel_run_note(const struct measurement *measurement, const struct pass *pass,
                     struct kernel_run_selects *selects);
/* After the window. False: one of them is another, and the measurement says which. */
bool kernel_run_kept(struct measurement *measurement, const struct pass *pass,
                     const struct kernel_run_selects *selects);

#endif
