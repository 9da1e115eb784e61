/* A window and the time that it takes. */
#ifndef HARNESS_WINDOW_TIMED_WINDOW_H
#define HARNESS_WINDOW_TIMED_WINDOW_H

#include "window.h"

/* The time stamp counter: when all that is older has finished, and before anything younger begins
 * (SDM 2B, "RDTSC": LFENCE before and behind). */
uint64_t timed_now(void);
/* Runs the window. Returns the ticks from before the write that starts counting to behind the write
 * that stops it. */
uint64_t timed_window_run(const struct window *window);

#endif
