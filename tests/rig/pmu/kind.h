/* A performance-monitoring unit that is not the architectural one of Intel's family 6: what
 * pmu.c, lbr.c and cpuid.c hand over when the personality names one. The callers of pmu.h see no
 * difference. */
#ifndef RIG_PMU_KIND_H
#define RIG_PMU_KIND_H

#include <stdio.h>

#include "state.h"

struct pmu_kind {
    size_t state_size; /* of pmu->kind_state, zeroed before the first reset */
    bool shared;       /* the threads of a core have one state between them */
    void (*reset)(struct pmu *pmu);
    void (*refresh)(struct pmu *pmu);                       /* the privilege level is another one */
    void (*span)(struct pmu *pmu, const struct span *span); /* also keeps pmu->unhalted */
    void (*branch)(struct pmu *pmu, const struct retired_branch *branch);
    /* or NULL: nothing is sampled */
    void (*boundary)(struct pmu *pmu, const struct pmu_boundary *boundary);
    /* ACCESS_NOT_MINE leaves the register to the clocks and to the personality's facts */
    enum access_result (*read)(const struct pmu *pmu, uint32_t msr, uint64_t *value);
    enum access_result (*write)(struct pmu *pmu, uint32_t msr, uint64_t value);
    /* after the check of the privilege level */
    enum access_result (*rdpmc)(const struct pmu *pmu, uint32_t index, uint64_t *value);
    void (*cpuid)(const struct pmu *pmu, uint32_t leaf, struct cpuid_result *result);
    uint64_t (*debugctl)(const struct pmu *pmu);
    void (*debug_exception)(struct pmu *pmu);
    /* or NULL: no record of the last branch before an exception */
    bool (*keeps_events)(const struct pmu *pmu);
    void (*event)(struct pmu *pmu);
    void (*report)(const struct pmu *pmu, FILE *out);
};

extern const struct pmu_kind pmu_netburst; /* pmu_netburst.c */
extern const struct pmu_kind pmu_amd;      /* pmu_amd.c */

/* Tell the host when this processor went from stopped to counting or back. */
static inline void kind_counting(struct pmu *pmu, bool counting)
{
    if (counting == pmu->counting)
        return;
    pmu->counting = counting;
    pmu->host.counting(pmu->host.context, counting);
}

/* Registers that pmu_msr.c gives to everybody and this kind has not. */
static inline bool kind_absent(const uint32_t *absent, size_t count, uint32_t msr)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (absent[i] == msr)
            return true;
    return false;
}

#endif
