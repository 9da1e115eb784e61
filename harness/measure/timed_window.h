/* A window and the time that it takes. */
#ifndef HARNESS_MEASURE_TIMED_WINDOW_H
#define HARNESS_MEASURE_TIMED_WINDOW_H

#include "window.h"

/* Runs the window. Returns the ticks of the time stamp counter from before the write that starts
 * counting to behind the write that stops it. Both readings wait until all that is older has
 * finished, and nothing younger begins before them (SDM 2B, "RDTSC": LFENCE before and behind). */
uint64_t timed_window_run(const struct window *window);

#endif
