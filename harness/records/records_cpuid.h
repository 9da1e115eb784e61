/* The record of what CPUID answers on a core. */
#ifndef HARNESS_RECORDS_RECORDS_CPUID_H
#define HARNESS_RECORDS_RECORDS_CPUID_H

#include "harness/judge/measured_core.h"
#include "pmu/cpuid_answers.h"

/* In the log's full form alone. */
void record_cpuid(const struct measured_core *core, const struct cpuid_answers *answers);

#endif
