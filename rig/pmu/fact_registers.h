/* Registers that only hold a value: the registers of the personality, and the registers that
 * every personality has. */
#ifndef RIG_PMU_FACT_REGISTERS_H
#define RIG_PMU_FACT_REGISTERS_H

#include "state.h"

#define MSR_BYPASS     0x39c
#define MSR_BYPASS_OFF 1

#define MSR_TSX_FORCE_ABORT 0x10f
#define RTM_FORCE_ABORT     1

/* False: the host's memory ran out. */
bool facts_allocate(struct pmu *pmu);
void facts_reset(struct pmu *pmu);
size_t facts_count(const struct pmu *pmu);

/* False: there is no such register. */
bool facts_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
/* The register's value, or 0 if there is no such register. */
uint64_t facts_held(const struct pmu *pmu, uint32_t msr);
/* ACCESS_NOT_MINE: there is no such register. */
enum access_result facts_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
