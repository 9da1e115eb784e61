/* The registers of a pass on AMD. Pure. */
#ifndef PMU_AMD_PASS_H
#define PMU_AMD_PASS_H

#include "pmu/plan_pass.h"

/* The value that makes a PERF_CTLx count the event. */
uint64_t amd_event_select(const struct event *event);
/* The registers that select what that core counter counts, and that hold the count. */
uint32_t amd_control_register(const struct facts *facts, unsigned counter);
uint32_t amd_counter_register(const struct facts *facts, unsigned counter);
/* `counter_register`, `write_pass`, `reading_text`, `is_counting`, `register_name`, `every_counter`
 * and `reference_pass` of struct pmu_kind. */
uint32_t amd_reading_register(const struct facts *facts, const struct reading *reading);
void amd_write_pass(struct pass *pass, const struct facts *facts,
                    const struct assignment *assignment);
void amd_reading_text(const struct pass *pass, const struct reading *reading, char *out,
                      unsigned size);
bool amd_is_counting(const struct msr_value *found);
bool amd_register_name(uint32_t msr, char *out, unsigned size);
const char *amd_every_counter(struct pass *pass, const struct facts *facts,
                              enum every_counter what);
const char *amd_reference_pass(struct pass *pass, const struct facts *facts);

#endif
