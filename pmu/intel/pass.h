/* The registers of a pass: SDM volume 3B, "Architectural Performance Monitoring". Pure. */
#ifndef PMU_INTEL_PASS_H
#define PMU_INTEL_PASS_H

#include "pmu/plan_pass.h"

/* What is written before counters are selected on a core whose counters otherwise count wrongly
 * (`prime` of the description): nothing elsewhere. Returns how many writes. */
#define INTEL_PRIME 10
unsigned intel_prime(const struct facts *facts, struct msr_value writes[INTEL_PRIME]);
/* The value that makes an IA32_PERFEVTSELx count the event, in the ring in which kernels run unless
 * the event names another; `second`: by its second register. */
uint64_t intel_event_select(const struct facts *facts, const struct event *event, bool second);
/* The field of IA32_FIXED_CTR_CTRL that makes fixed counter 0 count in that ring. */
uint64_t intel_fixed_enable(const struct facts *facts);
/* The register that sets that general counter. */
uint32_t intel_counter_register(const struct facts *facts, unsigned counter);
/* The same of any counter that a reading reads. */
uint32_t intel_reading_register(const struct facts *facts, const struct reading *reading);
/* The bits of IA32_PERF_GLOBAL_STATUS to clear: the overflow of every counter of this core, and
 * since version 4 the bits that keep the counters frozen. */
uint64_t intel_status_bits(const struct facts *facts);
/* Writes what the pass writes, for the events that it counts. */
void intel_write_pass(struct pass *pass, const struct facts *facts,
                      const struct assignment *assignment);

#endif
