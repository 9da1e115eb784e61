/* The PMU of AMD parts with six core counters: the data of one part, filled in by cpu/NAME.c. */
#ifndef RIG_PMU_KIND_AMD_H
#define RIG_PMU_KIND_AMD_H

#include "pmu/parameters.h"

struct amd_event {
    uint16_t code; /* 12 bits: PERF_CTL[35:32] and [7:0] */
    uint8_t umask;
    struct pmu_source source;
    const char *name;
};

struct amd_parameters {
    unsigned counters; /* core counters, 6 at most */
    unsigned branches; /* entries of the last-branch stack, 16 at most */
    const struct amd_event *events;
    size_t event_count;
};

extern const struct pmu_kind pmu_amd;

#endif
