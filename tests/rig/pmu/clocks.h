/* The time stamp counter, and the clocks that stop in a halted core. */
#ifndef RIG_PMU_CLOCKS_H
#define RIG_PMU_CLOCKS_H

#include "host.h"

/* The time stamp counter now, in the personality's TSC ticks. */
uint64_t pmu_tsc(const struct pmu *pmu);

/* --- for this room --- */

/* TSC ticks in this many core cycles, rounded down. */
uint64_t clocks_ticks(const struct pmu *pmu, uint64_t core_cycles);
uint64_t clocks_mperf(const struct pmu *pmu);
uint64_t clocks_aperf(const struct pmu *pmu);
void clocks_reset(struct pmu *pmu);

/* RDMSR and WRMSR; ACCESS_NOT_MINE: the register is no clock. */
enum access_result clocks_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result clocks_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
