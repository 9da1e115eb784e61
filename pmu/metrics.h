/* Arithmetic on PERF_METRICS. SDM 3B, "Performance Metrics". Pure. */
#ifndef PMU_METRICS_H
#define PMU_METRICS_H

#include <stdint.h>

/* Returns byte `field` (0 to 7) of PERF_METRICS in slots: the byte / 255 * `slots`, where metrics
 * and slots were cleared at the same time. */
double metrics_slots(uint64_t metrics, uint64_t slots, unsigned field);
/* Returns what an error of metrics_slots stays below, in slots: a step of the 8-bit fraction.
 * Whether a core rounds the fraction down, up or to the nearest is not published. */
double metrics_error(uint64_t slots);

#endif
