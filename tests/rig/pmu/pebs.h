/* The inside of event-based sampling, shared by pebs*.c only. */
#ifndef RIG_PEBS_H
#define RIG_PEBS_H

#include "state.h"

/* The largest: all groups with as many LBR entries as the field can ask for. */
#define PEBS_RECORD_MAX 8192

struct pebs_record {
    uint8_t bytes[PEBS_RECORD_MAX];
    size_t size;
};

unsigned pebs_format(const struct pmu *pmu);
bool pebs_is_adaptive(const struct pmu *pmu);

/* pebs.c. False: no room, or no such memory; nothing was written. `full` is set when the threshold
 * is reached. */
bool pebs_append(struct pmu *pmu, const struct pebs_record *record, bool *full);
/* What the DS area holds for a counter to begin anew with; false when there is no such memory. */
bool pebs_reset_value(struct pmu *pmu, unsigned slot, uint64_t *value);

/* pebs_record.c: the record of these counters (status bits) at this boundary */
void pebs_compose(struct pmu *pmu, uint64_t counters, const struct pmu_boundary *boundary,
                  struct pebs_record *record);

#endif
