/* What rounding does to the bytes of PERF_METRICS. Pure. */
#ifndef HARNESS_JUDGE_METRIC_ERROR_H
#define HARNESS_JUDGE_METRIC_ERROR_H

#include "harness/window/measurement.h"

/* By how much the difference of two windows may be off for a byte of PERF_METRICS: by a step of the
 * byte in one of them. A core that rounds up or down does so in both windows, so the two errors
 * have one sign and do not add up; a core that rounds to the nearest is off by at most half a step
 * in each, which is less. And half a slot in each window, because the byte's share of the slots was
 * rounded. Returns the largest such sum of all repeats of the pass, in slots; 0 without SLOTS. */
double metric_error(const struct measurement *measurement, unsigned pass);

#endif
