/* PERF_METRICS arithmetic. SDM 3B, "Performance Metrics". Pure. */
#ifndef PMU_METRICS_H
#define PMU_METRICS_H

#include <stdint.h>

/* Slots of byte `field` (0..7): the byte over 0xff times `slots` (both since they were last
 * cleared). */
double metrics_slots(uint64_t metrics, uint64_t slots, unsigned field);
/* The largest error of that in slots: half a step of the 8-bit fraction. */
double metrics_error(uint64_t slots);

#endif
