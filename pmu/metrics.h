/* Arithmetic on PERF_METRICS. SDM 3B, "Performance Metrics". Pure. */
#ifndef PMU_METRICS_H
#define PMU_METRICS_H

#include <stdint.h>

/* Returns byte `field` (0 to 7) of PERF_METRICS in slots: the byte / 255 * `slots`, where metrics
 * and slots were cleared at the same time. */
double metrics_slots(uint64_t metrics, uint64_t slots, unsigned field);
/* Returns the largest error of metrics_slots, in slots: half a step of the 8-bit fraction. */
double metrics_error(uint64_t slots);

#endif
