/* The life of a PMU. */
#include "pmu.h"

#include <stdlib.h>
#include <string.h>

#include "fact_registers.h"
#include "kind.h"
#include "lbr.h"
#include "pebs.h"
#include "personality.h"
#include "trace.h"

struct pmu *pmu_new(const struct personality *personality, struct pmu_place place,
                    struct pmu_host host)
{
    struct pmu *pmu = calloc(1, sizeof(*pmu));

    if (pmu == NULL)
        return NULL;
    pmu->parameters = personality->pmu;
    pmu->clock.mhz = personality->pmu->core_mhz;
    pmu->place = place;
    pmu->host = host;
    pmu->gp_count =
        place.threads_per_core > 1 ? personality->pmu->gp_smt : personality->pmu->gp_alone;
    if (pmu->parameters->kind != NULL)
        pmu->kind_state = calloc(1, pmu->parameters->kind->state_size);
    if (!facts_allocate(pmu) || (pmu->parameters->kind != NULL && pmu->kind_state == NULL)) {
        pmu_free(pmu);
        return NULL;
    }
    pmu_reset(pmu);
    pmu_observe(pmu);
    return pmu;
}

void pmu_free(struct pmu *pmu)
{
    if (pmu == NULL)
        return;
    if (!pmu->kind_borrowed)
        free(pmu->kind_state);
    free(pmu->msr_value);
    free(pmu);
}

void pmu_delay(struct pmu *pmu, struct pmi_delay delay)
{
    pmu->delay = delay;
}

bool pmu_masks_lvt(const struct pmu *pmu)
{
    return pmu->parameters->amd == NULL;
}

void pmu_join(struct pmu *pmu, struct pmu *sibling)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    pmu->sibling = sibling;
    sibling->sibling = pmu;
    if (kind == NULL || !kind->shared)
        return;
    free(pmu->kind_state);
    pmu->kind_state = sibling->kind_state;
    pmu->kind_borrowed = true;
    kind->reset(pmu);
}

void pmu_join_package(struct pmu *pmu, struct pmu *other)
{
    pmu->package = other->package != NULL ? other->package : other;
    other->package = pmu;
}

void pmu_reset(struct pmu *pmu)
{
    unsigned i;

    memset(pmu->gp, 0, sizeof(pmu->gp));
    memset(pmu->fixed, 0, sizeof(pmu->fixed));
    memset(pmu->select, 0, sizeof(pmu->select));
    memset(pmu->sound, 0, sizeof(pmu->sound));
    memset(pmu->stale, 0, sizeof(pmu->stale));
    pmu->primed = false;
    memset(&pmu->metrics, 0, sizeof(pmu->metrics));
    pebs_reset(pmu);
    pmu->pmi_pending = false;
    for (i = 0; i < pmu->gp_count; i++) {
        pmu->gp[i].status = UINT64_C(1) << i;
        pmu->gp[i].mask = pmu_gp_mask(pmu);
    }
    for (i = 0; i < pmu->parameters->fixed; i++) {
        pmu->fixed[i].mask = pmu_fixed_mask(pmu);
        pmu->fixed[i].status = UINT64_C(1) << (GLOBAL_FIXED_SHIFT + i);
        pmu->fixed[i].source = pmu->parameters->fixed_source[i];
    }
    pmu->fixed_ctrl = 0;
    /* Power-on enables the general-purpose counters here, and disables each by its own EN. */
    pmu->global_ctrl = (UINT64_C(1) << pmu->gp_count) - 1;
    pmu->global_status = 0;
    pmu->debugctl = 0;
    lbr_reset(pmu);
    trace_reset(pmu);
    clocks_reset(pmu);
    facts_reset(pmu);
    if (pmu->parameters->kind != NULL)
        pmu->parameters->kind->reset(pmu);
    else
        pmu_refresh(pmu);
}
