/* A personality made from a record of CPUID. */
#ifndef RIG_RECORD_RECORDED_H
#define RIG_RECORD_RECORDED_H

#include <stddef.h>

#include "pmu/personality.h"

/* The machine of the file (cpuid_file.h): its CPUID and counters on the pipeline, events and other
 * registers of `chosen`, or of the nearest personality when that is NULL. Standard error is told
 * which it is. NULL with `why`: the file cannot be used. The result lives as long as the process,
 * and a second call overwrites it. */
const struct personality *recorded_personality(const char *file, const struct personality *chosen,
                                               char *why, size_t why_size);

#endif
