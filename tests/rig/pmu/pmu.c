/* Which counters run, and the life of a PMU. What they count is in pmu_count.c.
 *
 * Sources: SDM 3B, "Architectural Performance Monitoring Version 1" to "Version 5". Where the
 * manual leaves something open, the choice made here is said beside it. */
#include <stdlib.h>
#include <string.h>

#include "kind.h"
#include "state.h"

#define CMASK(select) ((uint8_t)((select) >> 24 & 0xff))

uint64_t pmu_gp_mask(const struct pmu *pmu)
{
    return (UINT64_C(1) << pmu->parameters->width) - 1;
}

uint64_t pmu_fixed_mask(const struct pmu *pmu)
{
    unsigned width = pmu->parameters->fixed_width;

    return width ? (UINT64_C(1) << width) - 1 : pmu_gp_mask(pmu);
}

bool pmu_has_fixed(const struct pmu *pmu, unsigned index)
{
    return index < pmu->parameters->fixed && !(pmu->parameters->fixed_absent >> index & 1);
}

static bool is_plain(const struct counter *counter)
{
    return counter->source.rate == PER_CORE_CYCLE && !counter->cmask && !counter->edge &&
           !counter->equal && !counter->source.lie && !counter->core &&
           counter->source.weight == 1 && counter->source.plus_weight == 0;
}

/* Put the counter among the active ones. Its edge detector starts deasserted when it was not
 * running. */
static void run(struct pmu *pmu, struct counter *counter)
{
    if (!counter->running)
        counter->asserted = false;
    counter->running = true;
    if (counter->source.rate >= PER_SLOW_LOAD) {
        pmu->access_events[pmu->access_event_count++] = counter;
        return;
    }
    pmu->active[pmu->active_count++] = counter;
    if (is_plain(counter)) {
        struct counter *other = pmu->active[pmu->plain_count];

        pmu->active[pmu->plain_count++] = counter;
        pmu->active[pmu->active_count - 1] = other;
    }
}

static bool refresh_gp(struct pmu *pmu, unsigned index)
{
    struct counter *counter = &pmu->gp[index];
    uint64_t select = pmu->select[index];
    bool enabled = select & EVTSEL_EN && select & (EVTSEL_OS | EVTSEL_USR) &&
                   pmu->global_ctrl >> index & 1 && !(pmu->global_status & STATUS_CTR_FRZ);

    if (select & EVTSEL_INT)
        pmu->pmi_mask |= counter->status;
    counter->cmask = CMASK(select);
    counter->invert = select & EVTSEL_INV;
    counter->edge = select & EVTSEL_EDGE;
    counter->equal = select & EVTSEL_EQ;
    /* At a level that is not let in the counter is on and sees nothing. */
    if (enabled && pmu_level(pmu, select & EVTSEL_OS, select & EVTSEL_USR) &&
        pmu_resolve(pmu, index, counter))
        run(pmu, counter);
    else
        counter->running = false;
    return enabled;
}

static bool refresh_fixed(struct pmu *pmu, unsigned index)
{
    struct counter *counter = &pmu->fixed[index];
    uint64_t field = pmu->fixed_ctrl >> 4 * index & 0xf;
    bool enabled = pmu_has_fixed(pmu, index) && field & (FIXED_OS | FIXED_USR) &&
                   pmu->global_ctrl >> (GLOBAL_FIXED_SHIFT + index) & 1 &&
                   !(pmu->global_status & STATUS_CTR_FRZ);
    bool seen = enabled && pmu_level(pmu, field & FIXED_OS, field & FIXED_USR);

    if (field & FIXED_PMI)
        pmu->pmi_mask |= counter->status;
    counter->running = counter->running && seen;
    if (!seen)
        return enabled;
    counter->core = field & FIXED_ANY;
    run(pmu, counter);
    return enabled;
}

void pmu_refresh(struct pmu *pmu)
{
    bool counting = false;
    unsigned i;

    pmu->active_count = pmu->plain_count = 0;
    pmu->access_event_count = 0;
    pmu->pmi_mask = 0;
    for (i = 0; i < pmu->gp_count; i++)
        counting |= refresh_gp(pmu, i);
    for (i = 0; i < pmu->parameters->fixed; i++)
        counting |= refresh_fixed(pmu, i);
    pmu->metrics.running =
        pmu->parameters->metrics && pmu->fixed[3].running && pmu->global_ctrl & GLOBAL_PERF_METRICS;
    pebs_refresh(pmu);
    access_events_refresh(pmu);
    if (counting != pmu->counting) {
        pmu->counting = counting;
        pmu->host.counting(pmu->host.context, counting);
    }
    pmu_observe(pmu);
}

void pmu_privilege(struct pmu *pmu, unsigned cpl)
{
    pmu->cpl = cpl;
    if (pmu->parameters->kind != NULL)
        pmu->parameters->kind->refresh(pmu);
    else
        pmu_refresh(pmu);
}

uint64_t pmu_ticks(const struct pmu *pmu, uint64_t core_cycles)
{
    uint64_t core = pmu->parameters->core_mhz, tsc = pmu->parameters->tsc_mhz;

    return core_cycles / core * tsc + core_cycles % core * tsc / core;
}

uint64_t pmu_tsc(const struct pmu *pmu)
{
    return pmu_ticks(pmu, pmu->host.now(pmu->host.context)) + pmu->tsc_offset;
}

struct pmu *pmu_new(const struct personality *personality, struct pmu_place place,
                    struct pmu_host host)
{
    struct pmu *pmu = calloc(1, sizeof(*pmu));

    if (pmu == NULL)
        return NULL;
    pmu->parameters = personality->pmu;
    pmu->place = place;
    pmu->host = host;
    pmu->gp_count =
        place.threads_per_core > 1 ? personality->pmu->gp_smt : personality->pmu->gp_alone;
    if (pmu->parameters->kind != NULL)
        pmu->kind_state = calloc(1, pmu->parameters->kind->state_size);
    if (!msr_allocate(pmu) || (pmu->parameters->kind != NULL && pmu->kind_state == NULL)) {
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

bool pmu_masks_lvt(const struct pmu *pmu)
{
    return pmu->parameters->amd == NULL;
}

void pmu_join(struct pmu *pmu, struct pmu *sibling)
{
    const struct pmu_kind *kind = pmu->parameters->kind;

    if (kind == NULL || !kind->shared)
        return;
    free(pmu->kind_state);
    pmu->kind_state = sibling->kind_state;
    pmu->kind_borrowed = true;
    kind->reset(pmu);
}

void pmu_reset(struct pmu *pmu)
{
    unsigned i;

    memset(pmu->gp, 0, sizeof(pmu->gp));
    memset(pmu->fixed, 0, sizeof(pmu->fixed));
    memset(pmu->select, 0, sizeof(pmu->select));
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
    /* After power-on the general-purpose counters are on, and each is off by its own EN. */
    pmu->global_ctrl = (UINT64_C(1) << pmu->gp_count) - 1;
    pmu->global_status = 0;
    pmu->debugctl = 0;
    lbr_reset(pmu);
    pmu->unhalted = 0;
    pmu->aperf_base = 0;
    pmu->mperf_base = 0;
    pmu->tsc_adjust = 0;
    pmu->tsc_offset = 0 - pmu_ticks(pmu, pmu->host.now(pmu->host.context));
    msr_reset(pmu);
    if (pmu->parameters->kind != NULL)
        pmu->parameters->kind->reset(pmu);
    else
        pmu_refresh(pmu);
}

/* With METRICS_CLEAR set, a read takes the slots with it: the next one begins at nothing. */
static uint64_t read_metrics(struct pmu *pmu)
{
    uint64_t value = metrics_read(pmu);

    if (pmu->fixed_ctrl & FIXED_METRICS_CLEAR) {
        pmu->fixed[3].value = 0;
        metrics_write(pmu, 0);
    }
    return value;
}

/* SDM 2B, "RDPMC": the type is in ECX[31:16], the index in ECX[15:0]. */
enum access_result pmu_rdpmc(struct pmu *pmu, uint32_t index, unsigned cpl, bool cr4_pce,
                             uint64_t *value)
{
    uint32_t type = index >> 16, which = index & 0xffff;
    bool user = cpl > 0;

    if (user && !cr4_pce)
        return ACCESS_FAULT;
    if (pmu->parameters->kind != NULL)
        return pmu->parameters->kind->rdpmc(pmu, index, value);
    if (type == 0 && which < pmu->gp_count)
        *value = user && pmu->select[which] & EVTSEL_USER_DISABLE ? 0 : pmu->gp[which].value;
    else if (type == 0x4000 && pmu_has_fixed(pmu, which))
        *value = user && pmu->fixed_ctrl >> (FIXED_USER_DISABLE + 4 * which) & 1
                     ? 0
                     : pmu->fixed[which].value;
    else if (type == 0x2000 && which == 0 && pmu->parameters->metrics)
        *value = read_metrics(pmu);
    else
        return ACCESS_FAULT;
    return ACCESS_OK;
}
