/* RDMSR, WRMSR and RDPMC. */
#ifndef RIG_PMU_MSR_H
#define RIG_PMU_MSR_H

#include "host.h"

/* ACCESS_NOT_MINE: the register is the machine's. */
enum access_result pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);
/* Whether the write would be a #GP. Changes nothing. */
bool pmu_wrmsr_faults(const struct pmu *pmu, uint32_t msr, uint64_t value);

/* `index`: ECX; `cpl`: the current privilege level; `cr4_pce`: CR4.PCE. */
enum access_result pmu_rdpmc(struct pmu *pmu, uint32_t index, unsigned cpl, bool cr4_pce,
                             uint64_t *value);

/* A machine check: what IA32_MCi_STATUS of the bank holds then, and IA32_MCG_STATUS. */
void pmu_log_error(struct pmu *pmu, unsigned bank, uint64_t status);
void pmu_machine_check(struct pmu *pmu, uint64_t status);

#endif
