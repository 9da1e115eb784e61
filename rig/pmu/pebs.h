/* Event-based sampling (PEBS). */
#ifndef RIG_PMU_PEBS_H
#define RIG_PMU_PEBS_H

#include "state.h"

void pebs_reset(struct pmu *pmu);
/* These counters (status bits) overflowed. */
void pebs_overflow(struct pmu *pmu, uint64_t counters);
/* After any change of which counters run. */
void pebs_refresh(struct pmu *pmu);
/* After every step of the counters while pebs.exact is not 0. */
void pebs_approach(struct pmu *pmu);
/* An instruction retired. True: its record filled the buffer to its threshold, which requests a
 * PMI. */
bool pebs_boundary(struct pmu *pmu, const struct pmu_boundary *boundary);

/* RDMSR and WRMSR; ACCESS_NOT_MINE: the register has nothing to do with sampling. A write may
 * change what counts, so pmu_refresh must follow. */
enum access_result pebs_read(const struct pmu *pmu, uint32_t msr, uint64_t *value);
enum access_result pebs_write(struct pmu *pmu, uint32_t msr, uint64_t value);

/* --- records --- */

/* The largest: all groups, with as many LBR entries as the field can ask for. */
#define PEBS_RECORD_MAX 8192

struct pebs_record {
    uint8_t bytes[PEBS_RECORD_MAX];
    size_t size;
};

/* The record format: IA32_PERF_CAPABILITIES[11:8]. */
unsigned pebs_format(const struct pmu *pmu);
bool pebs_is_adaptive(const struct pmu *pmu);

/* Composes the record of these counters (status bits) at this boundary (pebs_record.c). */
void pebs_compose(struct pmu *pmu, uint64_t counters, const struct pmu_boundary *boundary,
                  struct pebs_record *record);
/* False: the buffer has no room or is not in memory, and nothing was written. `full` is set when
 * the threshold is reached. */
bool pebs_append(struct pmu *pmu, const struct pebs_record *record, bool *full);
/* The value in the DS area that a counter is reloaded with. False: there is no such memory. */
bool pebs_reset_value(struct pmu *pmu, unsigned slot, uint64_t *value);

#endif
