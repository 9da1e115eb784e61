/* A PMU that is not the architectural one of Intel's family 6. If the personality names a kind, the
 * files of this room pass their calls on to it. The callers of pmu.h see no difference. */
#ifndef RIG_PMU_KIND_H
#define RIG_PMU_KIND_H

#include <stdio.h>

#include "state.h"

struct pmu_foresight; /* foresee.h */

/* What foresee.h asks a kind. Each keeps what it needs in sight->kind. */
struct pmu_kind_foresight {
    /* Whether a PMI of this processor may come that can be foreseen. */
    bool (*wanted)(const struct pmu *pmu);
    void (*begin)(struct pmu_foresight *sight);
    /* The cycle of the span, from 1, with which the PMI comes; 0: it does not come in the span. */
    uint64_t (*pass)(struct pmu_foresight *sight, const struct span *span);
    /* In so many cycles behind the spans that passed no PMI can come. */
    uint64_t (*quiet)(const struct pmu_foresight *sight);
};

struct pmu_kind {
    size_t state_size; /* of pmu->kind_state, zeroed before the first reset */
    bool shared;       /* the threads of a core have one state between them */
    void (*reset)(struct pmu *pmu);
    void (*refresh)(struct pmu *pmu);                       /* the privilege level has changed */
    void (*span)(struct pmu *pmu, const struct span *span); /* also advances pmu->unhalted */
    void (*branch)(struct pmu *pmu, const struct retired_branch *branch);
    /* NULL: requests beyond L2 are not counted; else as host.subscribe asked */
    void (*request)(struct pmu *pmu, enum request request);
    /* NULL: nothing is sampled */
    void (*boundary)(struct pmu *pmu, const struct pmu_boundary *boundary);
    /* ACCESS_NOT_MINE: the register is left to clocks.c and fact_registers.c */
    enum access_result (*read)(const struct pmu *pmu, uint32_t msr, uint64_t *value);
    enum access_result (*write)(struct pmu *pmu, uint32_t msr, uint64_t value);
    /* after the check of the privilege level */
    enum access_result (*rdpmc)(const struct pmu *pmu, uint32_t index, uint64_t *value);
    void (*cpuid)(const struct pmu *pmu, uint32_t leaf, struct cpuid_result *result);
    uint64_t (*debugctl)(const struct pmu *pmu);
    void (*debug_exception)(struct pmu *pmu);
    /* NULL: the last branch before an exception is not kept */
    bool (*keeps_events)(const struct pmu *pmu);
    void (*event)(struct pmu *pmu);
    /* NULL: never. Whether spans or branches are needed though no counter is enabled. */
    bool (*observes)(const struct pmu *pmu);
    void (*report)(const struct pmu *pmu, FILE *out);
    const struct pmu_kind_foresight *foresight; /* NULL: no PMI is foreseen */
};

/* Calls host.counting if this processor went from stopped to counting or back. */
static inline void kind_counting(struct pmu *pmu, bool counting)
{
    if (counting == pmu->counting)
        return;
    if (!counting)
        pmu_sees(pmu, false);
    pmu->counting = counting;
    pmu->host.counting(pmu->host.context, counting);
    if (counting)
        pmu_sees(pmu, true);
}

/* Whether the register is in `absent`: the registers of fact_registers.c and clocks.c that a kind
 * lacks. */
static inline bool kind_absent(const uint32_t *absent, size_t count, uint32_t msr)
{
    for (size_t i = 0; i < count; i++)
        if (absent[i] == msr)
            return true;
    return false;
}

#endif
