/* CPUID of a machine that somebody recorded. */
#ifndef RIG_RECORD_ANSWERS_H
#define RIG_RECORD_ANSWERS_H

#include "pmu/host.h"
#include "pmu/parameters.h"

/* The answer of a machine with that record, where the personality answers `played`, which is asked
 * for the leaf that the record answers for (a leaf above its last one is another leaf). */
struct cpuid_result answers_cpuid(const struct cpuid_record *record, uint32_t leaf,
                                  uint32_t subleaf, struct cpuid_result played);
/* The leaf that answers: SDM 2A, "CPUID": on Intel's processors a leaf above the last one of its
 * range answers like the last basic leaf; APM 3: on others with zeros, for which UINT32_MAX stands.
 */
uint32_t answers_leaf(const struct cpuid_record *record, uint32_t leaf);

#endif
