/* A sampler on a core that may not come back. On the boot processor. */
#ifndef HARNESS_JUDGE_MEASURED_CORE_SAMPLE_H
#define HARNESS_JUDGE_MEASURED_CORE_SAMPLE_H

#include "harness/sampler/sampler.h"
#include "measured_core.h"

/* measured_core_run of sampler_work, with the handlers of its interrupts installed meanwhile.
 * Windows that it discarded are added to the core's; a local APIC that does not hold its old values
 * is logged as an error. False: the core is lost. */
bool measured_core_sample(struct measured_core *core, struct sampler *sampler, uint64_t timeout_us,
                          const char *what);

#endif
