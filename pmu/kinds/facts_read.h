/* What a core says of itself: CPUID, and the registers that CPUID leaves open. */
#ifndef PMU_KINDS_FACTS_READ_H
#define PMU_KINDS_FACTS_READ_H

#include "pmu/facts.h"

/* Reads what CPUID alone says, without an MSR: vendor, brand, signature, hypervisor. */
void facts_identify(struct facts *facts);
/* Reads all facts of the core that this runs on. */
void facts_read(struct facts *facts);

#endif
