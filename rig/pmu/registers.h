/* The registers of the counters. */
#ifndef RIG_PMU_REGISTERS_H
#define RIG_PMU_REGISTERS_H

#include "state.h"

/* RDMSR and WRMSR; ACCESS_NOT_MINE: the register is none of the counters'. */
enum access_result registers_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result registers_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
