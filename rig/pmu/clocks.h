/* The time stamp counter, and the clocks that stop in a halted core. */
#ifndef RIG_PMU_CLOCKS_H
#define RIG_PMU_CLOCKS_H

#include "host.h"

/* The time stamp counter now, in the personality's TSC ticks. */
uint64_t pmu_tsc(const struct pmu *pmu);
/* From `cycle` of the host's clock on, which is not later than now, the core's clock has `mhz`; at
 * first it has core_mhz of the personality. To be called before the PMU is asked for anything of a
 * later time. */
void pmu_clock(struct pmu *pmu, uint64_t cycle, unsigned mhz);

/* Moves the time stamp counter, as no register tells. */
void pmu_tsc_shift(struct pmu *pmu, int64_t ticks);

/* --- for this room --- */

uint64_t clocks_mperf(const struct pmu *pmu);
uint64_t clocks_aperf(const struct pmu *pmu);
void clocks_reset(struct pmu *pmu);

/* RDMSR and WRMSR; ACCESS_NOT_MINE: the register is no clock. */
enum access_result clocks_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result clocks_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
