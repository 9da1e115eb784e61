/* What writes a trace of branches to memory: the branch trace store, and processor trace. */
#ifndef RIG_PMU_TRACE_H
#define RIG_PMU_TRACE_H

#include "state.h"

/* Whether branches are traced now. */
bool bts_records(const struct pmu *pmu);
/* A branch retired. True: the buffer has reached its threshold and requests a PMI. */
bool bts_branch(struct pmu *pmu, const struct retired_branch *branch);

/* --- processor trace: its registers, and which accesses they forbid while it is on; the rig writes
 * no packets --- */

void trace_reset(struct pmu *pmu);
/* Whether packets would be written. */
bool trace_records(const struct pmu *pmu);
/* Whether it forbids to switch the legacy last-branch stack on. */
bool trace_excludes_lbr(const struct pmu *pmu);
/* RDMSR and WRMSR; ACCESS_NOT_MINE: the register is none of these. */
enum access_result trace_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result trace_write(struct pmu *pmu, uint32_t msr, uint64_t value);

#endif
